import { expect, test } from 'bun:test';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { type PageVisit, visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const PHISHING = `<title>PayPal: Log in to your account</title><h1>Your account has been suspended</h1>
  <form action="http://elsewhere.example/post.php" method=post><input type=email><input type=password></form>`;
const NOTES = '<p>Notes about the garden.</p>';

function classify(change: Partial<PageVisit>, url = 'http://sunnyfield-club.net/about'): Assessment {
  const target = targetOf(url);
  const value = visitOf(target, { contentLength: 1, document: null, ...change });
  const observations = {
    ...skippedObservations('disabled', { state: 'skipped', reason: 'disabled' }),
    page: { state: 'observed', value, elapsedMs: 1 },
  } as const;
  return assess(target, observations, MODELS, SETTINGS);
}

function documentOf(text: string, contentType = 'text/html') {
  return readPage(Buffer.from(text, 'latin1'), { contentType, url: 'http://sunnyfield-club.net/about' });
}

const hidden = (text: string) => `\x1b$B<!--\x1b(B${text}`;

test('the more suspicious reading of a page decides, whichever a browser shows', () => {
  expect(classify({ document: documentOf(NOTES) }).decision).toBe('allow');
  for (const declared of ['', '<meta charset=iso-2022-jp>', '<meta charset=utf-8><meta charset=iso-2022-jp>']) {
    const { decision, verdict, brand } = classify({ document: documentOf(declared + NOTES + hidden(PHISHING)) });
    expect([declared, decision, brand?.name]).toEqual([declared, 'warn', 'PayPal']);
    expect(verdict.contributions.map(({ code }) => code)).toContain('page.asks_as_foreign_brand');
  }
});

test('a page on the way is read in both ways, too', () => {
  const passed = visitOf(targetOf('http://sunnyfield-club.net/about'), {
    ...{ contentLength: 1, document: documentOf(NOTES + hidden(PHISHING)) },
    finalUrl: 'http://sunnyfield-club.net/about',
  });
  const { decision } = classify({
    ...{ document: documentOf(NOTES), finalUrl: 'http://sunnyfield-club.net/next', passed: [passed] },
  });
  expect(decision).toBe('warn');
});

test('a document that a browser shows and that is not read calls for caution', () => {
  const assessment = classify({ stopped: new FailureError('content_unread').failure });
  const { decision, verdict, coverage } = assessment;
  expect([decision, coverage]).toEqual(['allow', 'url_only']);
  const reasons = verdict.contributions.map(({ code, weight }) => ({ code, weight }));
  expect(reasons.map(({ code }) => code)).toContain('page.unread_document');
  const details = { base_log_odds: verdict.baseLogOdds, reasons };
  expect(needsCaution({ decision, malicious_probability: verdict.probability, analysis_details: details })).toBe(true);
});
