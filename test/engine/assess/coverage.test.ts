import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { type PageVisit, visitOf } from '#src/network/probes/page-visit.ts';
import { NOTHING, observed } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const URL_ASKED = 'https://quarry-lodge.info/';
const SHOP = '<title>Quarry Lodge</title><h1>Rooms</h1><p>Stay with us.</p>';

function visited(html: string | null, change: Partial<PageVisit> = {}): Observations {
  const bytes = new TextEncoder().encode(html ?? '');
  const document = html === null ? null : readPage(bytes, { contentType: 'text/html; charset=utf-8', url: URL_ASKED });
  return {
    ...NOTHING,
    page: observed({ ...visitOf(targetOf(URL_ASKED), { contentLength: bytes.length, document }), ...change }),
  };
}

const coverage = (observations: Observations) => assess(targetOf(URL_ASKED), observations, MODELS, SETTINGS).coverage;

test('a completely parsed page has full coverage, regardless of DNS, registration and certificate', () => {
  const missed = { state: 'failed', failure: { code: 'timeout', detail: '' }, elapsedMs: 1 } as const;
  expect(coverage(visited(SHOP))).toBe('full');
  expect(coverage({ ...visited(SHOP), dns: missed, registration: missed, certificate: missed })).toBe('full');
});

describe('a page that was read in part has partial coverage:', () => {
  const cut = { code: 'timeout', detail: '' } as const;
  test.each([
    ['one that ended early', visited(SHOP, { truncated: true })],
    ['one that did not come to its end in time', visited(SHOP, { stopped: cut })],
  ])('%s', (_, observations) => {
    expect(coverage(observations)).toBe('partial');
  });

  test.each(['time', 'characters'] as const)('a page whose parser stopped at the limit of %s', (limit) => {
    const { page } = visited(SHOP);
    if (page.state !== 'observed' || page.value.document === null) throw new Error('no page');
    const document = { ...page.value.document, limits: [limit] };
    expect(coverage({ ...NOTHING, page: observed({ ...page.value, document }) })).toBe('partial');
  });
});

const CHALLENGE = `<title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue</noscript>
  <script>(function(){window._cf_chl_opt={cvId:'3'};var a=document.createElement('script');
  a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f';document.head.appendChild(a)})()</script>`;

describe('a page that is not the site’s own has url_only coverage:', () => {
  test.each([
    ['nothing that was looked at', NOTHING],
    ['a time-out', { ...NOTHING, page: { state: 'failed', failure: { code: 'timeout', detail: '' }, elapsedMs: 1 } }],
    [
      'a refused connection',
      { ...NOTHING, page: { state: 'failed', failure: { code: 'connection_refused', detail: '' }, elapsedMs: 1 } },
    ],
    ['an empty body', visited(null)],
    ['a page of nothing', visited('<!doctype html><html><head></head><body></body></html>')],
    ['403', visited(SHOP, { statusCode: 403 })],
    ['404', visited(SHOP, { statusCode: 404 })],
    ['500', visited(SHOP, { statusCode: 500 })],
    ['503', visited(SHOP, { statusCode: 503 })],
    ['a login of a network (RFC 6585)', visited(SHOP, { statusCode: 511 })],
    ['a challenge by its title, with 200', visited(CHALLENGE)],
    ['a challenge by its header', visited(SHOP, { headers: { 'cf-mitigated': 'challenge' } })],
    ['a CAPTCHA by its header', visited(SHOP, { headers: { 'x-amzn-waf-action': 'captcha' } })],
    [
      'a challenge by its script',
      visited('<title>shop.example</title><script src="https://ct.captcha-delivery.com/c.js"></script>'),
    ],
    ['a challenge by its refresh', visited('<meta http-equiv=refresh content="0;/.well-known/sgcaptcha/?r=%2F">')],
    ['a challenge by its frame', visited('<iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>')],
    ['a firewall that answers with 200', visited('<title>Request Rejected</title>Your support ID is: 17')],
    ...[
      '<h1>Security check</h1><p>Please verify you are human.</p><script src="https://js.hcaptcha.com/1/api.js"></script>',
      '<title>Robot check</title><form><input type=checkbox> I’m not a robot</form><script src="https://www.google.com/recaptcha/api.js"></script>',
      '<p>Kein Roboter?</p><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
    ].map((html) => [`a CAPTCHA and nothing else: ${html}`, visited(html)] as const),
    [
      'a captive portal',
      visited('<title>Guest</title><!-- <?xml version="1.0"?><WISPAccessGatewayParam> --><p>Welcome</p>'),
    ],
  ] as const)('%s', (_, observations) => {
    expect(coverage(observations as Observations)).toBe('url_only');
  });
});

describe('the site’s own page has full coverage, even if it resembles a challenge page:', () => {
  test.each([
    ['a page that asks for a password', '<title>Just a moment...</title><form><input type=password></form>'],
    [
      'an article about challenges',
      `<title>Pardon our interruption</title><p>${'What a challenge page is. '.repeat(100)}</p>`,
    ],
    [
      'a page with a CAPTCHA in its form',
      `${SHOP}<form><input name=guests><input name=day></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
    ],
    [
      'a form with a CAPTCHA',
      '<p>Verify that you are human, and write to us:</p><form><input name=mail><textarea name=text></textarea></form><script src="https://js.hcaptcha.com/1/api.js"></script>',
    ],
    [
      'an article with a CAPTCHA',
      `<p>${'What to do if you are not a robot. '.repeat(20)}</p><script src="https://js.hcaptcha.com/1/api.js"></script>`,
    ],
  ])('%s', (_, html) => {
    expect(coverage(visited(html))).toBe('full');
  });
});
