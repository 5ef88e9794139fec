import { describe, expect, test } from 'bun:test';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import { type PageVisit, type RedirectHop, visitOf } from '#src/network/probes/page-visit.ts';
import { certificate, dnsRecords, NOTHING, observed, registration } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const ARTICLE = `<title>Harbour</title><h1>Tides</h1><p>${'Tide tables of the harbour, and news. '.repeat(20)}</p><a href=/a>a</a><a href=/b>b</a>`;
const LEANING = 'http://sunnyfield-club.net/page';
const PLAIN = 'https://www.harbour-town.org/news';

/** What is known of a site in good standing. */
const TRUSTED: HostObservations = {
  dns: observed(dnsRecords({})),
  registration: observed(registration({ ageDays: 6000, createdAt: '2010-01-01T00:00:00.000Z' })),
  certificate: observed(certificate({})),
};

function visited(url: string, html: string | null, change: Partial<PageVisit> = {}): Observations {
  const target = targetOf(url);
  const bytes = new TextEncoder().encode(html ?? '');
  const document = html === null ? null : readPage(bytes, { contentType: 'text/html', url: target.url });
  return { ...NOTHING, page: observed({ ...visitOf(target, { contentLength: bytes.length, document }), ...change }) };
}

const classify = (url: string, observations: Observations = NOTHING) =>
  assess(targetOf(url), observations, MODELS, SETTINGS);
const codes = ({ verdict }: Assessment) => verdict.contributions.map(({ code }) => code);
const caution = ({ decision, verdict }: Assessment) =>
  needsCaution({
    decision,
    malicious_probability: verdict.probability,
    analysis_details: { base_log_odds: verdict.baseLogOdds, reasons: verdict.contributions },
  });
const hop = (url: string, location: string | null): RedirectHop => ({
  ...{ url, location, status: 302, address: '192.0.2.1', how: 'http' },
});

describe('a page of which hardly anything was seen is partial and calls for caution:', () => {
  test.each([
    ['page.drawn_by_script', '<title>App</title><div id=root></div><script src=/app.js></script>'],
    ['page.drawn_by_script', '<script>document.body.append(make())</script>'],
    ['page.drawn_by_script', '<p>One moment</p><img src=x onerror="draw()">'],
    ['page.drawn_by_script', '<svg onload="draw()"></svg>'],
    ['page.drawn_by_script', '<style onload="draw()"></style>'],
    ['page.drawn_by_script', '<script src="data:text/javascript,draw()"></script>'],
    ['page.drawn_by_script', '<template><form><input type=password></form></template><script>show()</script>'],
    [
      'page.drawn_by_script',
      `<p>${'A notice about cookies. '.repeat(20)}</p><div id=__next></div><script src=/a.js></script>`,
    ],
    ['page.drawn_by_script', '<form><input type=search></form><script src=/a.js></script>'],
    ['page.drawn_by_script', '<form><input type=email></form><script src=/a.js></script>'],
    ['page.drawn_by_script', '<select><option>English</select><script src=/a.js></script>'],
    ['page.drawn_by_script', '<textarea hidden>x</textarea><input name=a><script src=/a.js></script>'],
    ['page.drawn_by_script', '<div style="display:none"><input name=a><input name=b></div><script src=/a.js></script>'],
    ['page.unread_picture', '<h1>Scan this code with your phone</h1><img src="/code.png" alt="">'],
    [
      'page.unread_picture',
      '<svg width=300 height=300><image href="/code.png"/></svg><img src=data:image/png;base64,iVBORw0KGgo=>',
    ],
    ['page.unread_frame', '<iframe src="/inner"></iframe>'],
    ['page.unread_frame', '<iframe src="javascript:draw()"></iframe>'],
    ['page.unread_frame', '<object data="/inner" width=600 height=400></object>'],
    ['page.unread_frame', `${ARTICLE}<iframe src=/inner style="position:fixed;inset:0"></iframe>`],
  ])('%s: %s', (reason, html) => {
    const found = classify(PLAIN, visited(PLAIN, html));
    expect(codes(found)).toContain(reason);
    expect([found.coverage, found.decision !== 'allow' || caution(found)]).toEqual(['partial', true]);
  });

  test.each([
    [
      'an article with scripts',
      `${ARTICLE}<script src=/a.js></script><script>count()</script><div id=root></div>`.repeat(2),
    ],
    [
      'a page that writes the year',
      `<p>${'A notice about cookies. '.repeat(20)}</p><script>document.write("© "+new Date().getFullYear())</script>`,
    ],
    ['a short page without scripts', '<h1>Tides</h1><p>High at noon.</p>'],
    ['a short page with a button', '<h1>Tides</h1><button onclick="history.back()">Back</button>'],
    [
      'a form of its own',
      '<form><label>Name <input name=name></label><label>Town <input name=town></label></form><script src=/a.js></script>',
    ],
    ['a frame in an article', `${ARTICLE}<iframe src=/map width=600 height=400></iframe>`],
    ['a counter in a hidden frame', '<p>Tides</p><iframe src=/count width=0 height=0></iframe>'],
    ['a frame with its own page', '<iframe srcdoc="<p>Tides</p>"></iframe>'],
    ['a drawing in an object', '<object data="data:image/png;base64,AAAA" width=99 height=99></object>'],
  ])('and not %s', (_, html) => {
    const found = classify(PLAIN, visited(PLAIN, html));
    expect([found.coverage, codes(found).filter((code) => /drawn|unread/.test(code))]).toEqual(['full', []]);
  });

  test('a page in data: of an object is read', () => {
    const page = Buffer.from('<form><input type=password></form>').toString('base64');
    const { coverage, verdict } = classify(
      PLAIN,
      visited(PLAIN, `<object data="data:text/html;base64,${page}"></object>`),
    );
    expect([coverage, verdict.contributions.length > 0]).toEqual(['full', true]);
  });

  test('scripts and frames never lower the probability', () => {
    for (const html of ['', '<p>Hello</p>', ARTICLE, '<form><input type=password></form>']) {
      const without = classify(PLAIN, visited(PLAIN, html)).verdict.logOdds;
      for (const more of [
        '<script>draw()</script>',
        '<iframe src=/x></iframe>',
        `<iframe src=/x ${'style="position:fixed;inset:0"'}>`,
      ]) {
        const found = classify(PLAIN, visited(PLAIN, `${html}${more}`)).verdict.logOdds;
        expect([html, more, found >= without - 1e-9]).toEqual([html, more, true]);
      }
    }
  });
});

const FORWARDERS = [
  'https://bit.ly/3xYz',
  'https://tinyurl.com/yc7ab2kd',
  'https://l.facebook.com/l.php?h=AT1',
  'https://awin1.com/cread.php?x=1',
  'https://acme.us5.list-manage.com/track/click?u=abc',
  'https://abc.awstrack.me/L0/x/1/2',
] as const;
const CHALLENGE = '<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/h/b/x.js></script>';
const FAILED = { state: 'failed', failure: { code: 'connection_reset', detail: '' }, elapsedMs: 1 } as const;

describe('a link whose target is unknown', () => {
  const answers = (url: string): readonly (readonly [string, Observations])[] => [
    ['a page of its own', visited(url, ARTICLE)],
    ['404', visited(url, ARTICLE, { statusCode: 404 })],
    ['403 without a body', visited(url, null, { statusCode: 403 })],
    ['500', visited(url, '<h1>Error</h1>', { statusCode: 500 })],
    ['a challenge', visited(url, CHALLENGE)],
    ['nothing', visited(url, null)],
    ['no answer', { ...NOTHING, page: FAILED }],
    [
      'a page that asks for a click',
      visited(url, '<p>You leave us.</p><a href="https://www.wikipedia.org/">Go on</a>'),
    ],
    [
      'a redirect to another page of its own',
      visited(url, ARTICLE, { redirects: [hop(url, new URL('/gone', url).href)] }),
    ],
  ];

  for (const url of FORWARDERS) {
    test(`at ${new URL(url).host} is never harmless, whatever it answered`, () => {
      const offline = classify(url);
      for (const [answer, observations] of answers(url)) {
        for (const hosts of [{}, TRUSTED]) {
          const found = classify(url, { ...observations, ...hosts });
          expect([answer, codes(found).includes('redirects.end_unseen')]).toEqual([answer, true]);
          expect([answer, found.coverage]).toEqual([answer, 'url_only']);
          expect([answer, found.decision !== 'allow' || caution(found)]).toEqual([answer, true]);
          expect(found.verdict.probability).toBeGreaterThanOrEqual(offline.verdict.probability - 1e-12);
        }
      }
    });

    test(`at ${new URL(url).host} has no reason that speaks for the name of the service`, () => {
      const { verdict } = classify(url, { ...visited(url, ARTICLE), ...TRUSTED });
      const name = /^(?:url\.(?:popular_site|name|subdomain|suffix)|registration|certificate|dns|page)/;
      expect(verdict.contributions.filter(({ code, weight }) => weight < 0 && name.test(code))).toEqual([]);
    });
  }

  test.each([
    ['the home page of the service', 'https://bit.ly/', (url: string) => visited(url, ARTICLE)],
    ['a help centre', 'https://acme.zendesk.com/hc/en-us', (url: string) => visited(url, ARTICLE)],
    [
      'a link that names its target',
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.wikipedia.org%2F',
      (url: string) => visited(url, ARTICLE),
    ],
    [
      'a link that was followed',
      'https://bit.ly/3xYz',
      (url: string) => visited(url, ARTICLE, { redirects: [hop(url, PLAIN)], finalUrl: PLAIN }),
    ],
  ])('is not %s', (_, url, observations) => {
    expect(codes(classify(url, observations(url)))).not.toContain('redirects.end_unseen');
  });

  test('is one that another site sends visitors to', () => {
    const short = 'https://bit.ly/3xYz';
    const seen = visited(short, ARTICLE, { redirects: [hop(PLAIN, short)] });
    const found = classify(PLAIN, seen);
    expect([codes(found).includes('redirects.end_unseen'), found.coverage]).toEqual([true, 'url_only']);
    expect(found.verdict.logOdds).toBeGreaterThanOrEqual(classify(short).verdict.logOdds - 1e-9);
  });
});

const stopped = (code: 'too_many_redirects' | 'redirect_invalid' | 'egress_denied' | 'timeout') =>
  ({ stopped: { code, detail: '' }, statusCode: 302 }) as const;

describe('a visit that ends in something that was not followed', () => {
  const kinds = (url: string): readonly (readonly [string, Observations])[] => [
    ['a cookie gate', visited(url, null, { ...stopped('too_many_redirects'), redirects: [hop(url, url)] })],
    ['a Location over the limit', visited(url, null, { ...stopped('redirect_invalid'), redirects: [hop(url, null)] })],
    [
      'a denied address',
      visited(url, null, { ...stopped('egress_denied'), redirects: [hop(url, 'http://10.0.0.1/')] }),
    ],
    ['a silent target', visited(url, null, { ...stopped('timeout'), redirects: [hop(url, `${url}/b`)] })],
    [
      'Turnstile',
      visited(
        url,
        '<p>Verify you are human</p><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      ),
    ],
    [
      'hCaptcha',
      visited(url, '<p>Security check: are you human?</p><script src="https://js.hcaptcha.com/1/api.js"></script>'),
    ],
    ['a challenge with 403', visited(url, CHALLENGE, { statusCode: 403, headers: { 'cf-mitigated': 'challenge' } })],
    ['a PDF', visited(url, null, { contentLength: 9, headers: { 'content-type': 'application/pdf' } })],
    ['a download', visited(url, null, { contentLength: 9, headers: { 'content-type': 'application/octet-stream' } })],
    ['a form that posts itself', visited(url, '<form method=post action=/x name=f></form><script>f.submit()</script>')],
  ];

  test('calls for caution, and says where it ended', () => {
    for (const [kind, observations] of kinds(PLAIN)) {
      const found = classify(PLAIN, observations);
      const reason = found.verdict.contributions.find(({ code }) => code === 'redirects.not_followed');
      expect([kind, reason?.args]).toEqual([kind, { host: 'www.harbour-town.org' }]);
      expect([kind, found.decision, caution(found)]).toEqual([kind, 'allow', true]);
      expect([kind, found.coverage === 'full']).toEqual([kind, false]);
    }
  });

  test('is at least a warning where the URL leans to phishing, unless the site is known to be good', () => {
    expect(classify(LEANING).decision).toBe('allow');
    for (const [kind, observations] of kinds(LEANING)) {
      expect([kind, classify(LEANING, observations).decision]).not.toEqual([kind, 'allow']);
      const { logOdds } = classify(LEANING, observations).verdict;
      expect([kind, logOdds >= classify(LEANING).verdict.logOdds]).toEqual([kind, true]);
    }
    const known = 'https://www.wikipedia.org/wiki/verify-login-account-secure';
    for (const [kind, observations] of kinds(known)) {
      expect([kind, classify(known, observations).decision]).toEqual([kind, 'allow']);
    }
  });

  test.each([
    ['a picture', visited(PLAIN, null, { contentLength: 9, headers: { 'content-type': 'image/png' } })],
    ['plain text', visited(PLAIN, null, { contentLength: 9, headers: { 'content-type': 'text/plain' } })],
    ['a missing page', visited(PLAIN, '<h1>Not found</h1>', { statusCode: 404 })],
    ['an empty page', visited(PLAIN, '<!doctype html>')],
    ['an article', visited(PLAIN, ARTICLE)],
  ])('is not one that ends in %s', (_, observations) => {
    expect(codes(classify(PLAIN, observations))).not.toContain('redirects.not_followed');
  });
});
