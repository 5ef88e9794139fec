import { expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const LOGIN = `<title>Log in to your PayPal account</title><h1>PayPal</h1><p>Log in to PayPal.</p>
<form action="https://collect.example.net/a.php" method=post><input type=email name=login_email>
<input type=password name=login_password><button>Log In</button></form>`;

test.each(['https://harbour-town.org/', 'https://river-bend.net/', 'https://oak-studio.com/', 'http://late.example/'])(
  'warns about a login in the name of a brand that is sent to another site, at %s',
  (url) => {
    const target = targetOf(url);
    const document = readPage(new TextEncoder().encode(LOGIN), { contentType: 'text/html', url: target.requestUrl });
    const value = visitOf(target, { contentLength: LOGIN.length, document });
    const observations = {
      ...skippedObservations('disabled', { state: 'skipped', reason: 'disabled' }),
      page: { state: 'observed', value, elapsedMs: 1 },
    } as const;
    expect(assess(target, observations, MODELS, SETTINGS).decision).not.toBe('allow');
  },
);
