import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { type PageVisit, visitOf } from '#src/network/probes/page-visit.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

/** A URL with a harmless spelling. */
const URL_OF_PAGE = 'https://www.village-gardeners.org/about';
const NO_LISTS = { state: 'skipped', reason: 'disabled' } as const;
const CODE = 'page.too_little_read';

interface Seen {
  readonly html?: string | null;
  readonly visit?: Partial<PageVisit>;
  readonly url?: string;
  readonly lists?: Observations['lists'];
  readonly configuredBrands?: readonly ConfiguredBrand[];
}

/** What comes of a page whose body ended early. */
function classify({
  html = '',
  visit = {},
  url = URL_OF_PAGE,
  lists = NO_LISTS,
  configuredBrands = [],
}: Seen): Assessment {
  const target = targetOf(url);
  const bytes = new TextEncoder().encode(html ?? '');
  const document =
    html === null ? null : readPage(bytes, { contentType: 'text/html; charset=utf-8', url: target.requestUrl });
  const value = visitOf(target, { contentLength: bytes.length, document, truncated: true, ...visit });
  const observations = {
    ...skippedObservations('disabled', lists),
    page: { state: 'observed', value, elapsedMs: 1 },
  } as const;
  return assess(target, observations, { ...MODELS, configuredBrands }, SETTINGS);
}

const codesOf = ({ verdict }: Assessment) => verdict.contributions.map(({ code }) => code);
const some = (characters: number) => 'word '.repeat(characters / 5);

describe('a page of which almost nothing was read', () => {
  test.each<[string, Seen]>([
    ['comments', { html: '<!-- x -->'.repeat(100) }],
    ['a short notice', { html: `<title>Please wait</title><p>${some(150)}` }],
    ['a search box', { html: '<form><input type=search name=q></form>' }],
    ['a form that only noscript has', { html: '<noscript><form><input name=a></form></noscript>' }],
    ['a form in a template', { html: '<template><form><input name=a></form></template>' }],
    ['2 MiB of blanks', { html: ' '.repeat(2 * 1024 * 1024 + 1), visit: { truncated: false } }],
    ['2 MiB of comments behind some words', { html: `${some(500)}<!--${' '.repeat(2 * 1024 * 1024)}-->` }],
    ['no byte of its body', { html: null, visit: { headers: { 'content-type': 'text/html' } } }],
    ['no byte of a body without a type', { html: null }],
    [
      'nothing, as its thread was ended',
      { html: null, visit: { truncated: false, stopped: new FailureError('parser_budget_exceeded').failure } },
    ],
  ])('gets a warning: %s', (_, seen) => {
    const assessment = classify(seen);
    const { verdict, decision } = assessment;
    expect(decision).toBe('warn');
    const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
    expect(sum).toBeCloseTo(Math.log(verdict.probability / (1 - verdict.probability)), 6);
    expect(codesOf(assessment).some((code) => code === CODE || code === 'page.padded')).toBe(true);
    expect(verdict.scores.page).toBeGreaterThan(0.5);
    expect(assessment.coverage).toBe(seen.html === null ? 'url_only' : 'partial');
  });

  test('gets a warning at any threshold of the operator', () => {
    const thresholds = { warn: 0.7, block: 0.9 };
    const target = targetOf(URL_OF_PAGE);
    const value = visitOf(target, { contentLength: 0, document: null, truncated: true });
    const observations = {
      ...skippedObservations('disabled', NO_LISTS),
      page: { state: 'observed', value, elapsedMs: 1 },
    } as const;
    const { decision, verdict } = assess(target, observations, MODELS, { ...SETTINGS, thresholds });
    expect(decision).toBe('warn');
    expect(verdict.probability).toBeCloseTo(0.7, 6);
  });

  const allowed = {
    state: 'observed',
    value: { blocked: null, allowed: { list: 'ours', entry: 'x', line: 1 } },
    elapsedMs: 0,
  } as const;
  test.each<[string, Seen]>([
    ['whose site is popular', { url: 'https://www.wikipedia.org/' }],
    ['of a brand', { url: 'https://www.paypal.com/signin' }],
    ['that a list allows', { lists: allowed }],
    ['of an own brand', { configuredBrands: [{ name: 'Gardeners', domains: ['village-gardeners.org'], pages: [] }] }],
  ])('is allowed if it is one %s', (_, seen) => {
    expect(classify(seen).decision).toBe('allow');
  });

  test('gets a warning even if a popular site redirected to it', () => {
    const visit = { finalUrl: URL_OF_PAGE };
    expect(classify({ url: 'https://www.wikipedia.org/', visit }).decision).toBe('warn');
  });
});

test.each<[string, Seen]>([
  ['was read to its end', { visit: { truncated: false } }],
  ['shows something', { html: some(400) }],
  ['asks for something', { html: '<form><input name=name></form>' }],
  ['is no page', { html: null, visit: { headers: { 'content-type': 'application/zip' } } }],
  ['has no body', { html: null, visit: { truncated: false } }],
])('a page that %s has no reason about too little content', (_, seen) => {
  const assessment = classify(seen);
  expect(codesOf(assessment)).not.toContain(CODE);
  expect(assessment.decision).toBe('allow');
});

describe('a page that asks for a password in the name of a brand', () => {
  const html =
    '<title>Log in to your PayPal account</title><h1>PayPal</h1><form action="/go" method="post">' +
    '<input type="email" name="e"><input type="password" name="p"><button>Log In</button></form><p>© PayPal</p>';
  const seen = { html, visit: { truncated: false } };
  test.each([
    'https://paypal.ag/',
    'https://paypal.li/login',
    'https://secure.paypal.com.ag/',
    'https://paypal.ro/login',
  ])('is at least a warning where the name alone does not say whose the domain is: %s', (url) => {
    const assessment = classify({ ...seen, url });
    expect(assessment.decision).not.toBe('allow');
    expect(codesOf(assessment)).not.toContain('brand.own_domain');
  });

  test.each(['https://paypal.de/', 'https://www.paypal.com/signin'])('passes on the brand’s own domain: %s', (url) => {
    expect(classify({ ...seen, url }).decision).toBe('allow');
  });
});

test('a page with the icon of a configured brand on another site is warned of, and with another not', () => {
  const html =
    '<title>Village gardeners</title><h1>Village gardeners</h1><form action=/in method=post><input name=u><input type=password></form>';
  const icon = { sha256: 'ab'.repeat(16), shape: null };
  const brand: ConfiguredBrand = { name: 'Nordwerk', domains: ['nordwerk.test'], pages: [], icons: [icon] };
  const seen = (sha256: string, url = URL_OF_PAGE) =>
    classify({ html, url, visit: { truncated: false, icon: { ...icon, sha256 } }, configuredBrands: [brand] });
  expect([seen(icon.sha256).decision, codesOf(seen(icon.sha256))]).toEqual([
    'warn',
    expect.arrayContaining(['page.own_icon']),
  ]);
  expect([seen('00').decision, codesOf(seen('00')).includes('page.own_icon')]).toEqual(['allow', false]);
  expect(codesOf(seen(icon.sha256, 'https://sso.nordwerk.test/')).includes('page.own_icon')).toBe(false);
});
