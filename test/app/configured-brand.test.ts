import { describe, expect, test } from 'bun:test';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import { addConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import type { Assessment } from '#src/engine/fusion/fuse.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type Observations, skippedObservations } from '#src/network/probes/observations.ts';
import { visitOf } from '#src/network/probes/page-visit.ts';
import { tryAttacks } from '#src/parts/tuning/brands/brand-trial.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const NOTHING = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });

const pageOf = (html: string, url: string) =>
  readPage(new TextEncoder().encode(html), { contentType: 'text/html; charset=utf-8', url });

/** As a company has it: a page of some size, with pictures and links. */
const PORTAL = `<!doctype html><title>Nordwerk customer portal</title><link rel=stylesheet href=/assets/nw-portal-7f3.css>
<header><img src=/assets/nw-crest.svg alt=Nordwerk>${['Tariffs', 'Meter reading', 'Moving house', 'Outages', 'Contact']
  .map((word) => `<a href=/${word.toLowerCase().replace(' ', '-')}>${word}</a>`)
  .join(' ')}</header><h1>Welcome to your customer portal</h1>
<p>Here you read your meter, change your advance payment and see what you have used in the last twelve months.
Bills are kept for ten years. If you move, tell us at least two weeks before, so that your new home has power.</p>
<form action=/session method=post><input name=customer_no><input type=password name=portal_pw><button>Sign in</button></form>
<footer>Nordwerk, Am Hafen 1. <a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>`;

const withBrand = (name: string, domains: readonly string[], html: readonly string[] = []): Models =>
  withConfiguredBrands(
    MODELS,
    addConfiguredBrand(
      [],
      name,
      domains,
      html.map((text) => pageOf(text, `https://${domains[0]}/`)),
    ),
  );

const classify = (models: Models, url: string, observations: Observations = NOTHING): Assessment =>
  assess(targetOf(url), observations, models, SETTINGS);

/** A check that found a page, at the URL itself or where that led. */
function withPage(url: string, html: string, finalUrl = url): Observations {
  const target = targetOf(finalUrl);
  const value = visitOf(target, { contentLength: html.length, document: pageOf(html, finalUrl) });
  return { ...NOTHING, page: { state: 'observed', value, elapsedMs: 0 } };
}

const NORDWERK = withBrand('Nordwerk', ['nordwerk.example'], [PORTAL]);
const codesOf = ({ verdict }: Assessment) => verdict.contributions.map(({ code }) => code);

describe('imitations of a configured brand get a warning or a block', () => {
  test.each([
    'http://nordwerk.example.evil.com/login',
    'http://login-nordwerk.com/',
    'https://nordwerk.com/',
    'https://n0rdwerk.com/',
    'https://nordvverk.net/',
    'https://nоrdwеrk.com/',
    'https://nordwrek.com/',
    'https://mynordwerk.org/',
    'https://nordwerk.evil.net/',
    'https://nordwerk.example@evil.com/',
  ])('%s', (url) => {
    const assessment = classify(NORDWERK, url);
    expect(assessment.decision).not.toBe('allow');
    expect(codesOf(assessment)).toContain('brand.taught_imitated');
    expect(assessment.brand).toMatchObject({ name: 'Nordwerk', domains: ['nordwerk.example'] });
    expect(codesOf(classify(MODELS, url))).not.toContain('brand.taught_imitated');
  });

  test.each([
    ['Nordwerk', 'nordwerk.example', 19],
    ['Stadtwerke Musterstadt GmbH', 'sw-musterstadt.de', 19],
    ['Müller & Söhne', 'müller-söhne.de', 19],
    ['Delta', 'delta-bau.example', 19],
    ['Klinik Lindenhof', 'klinik-lindenhof.ch', 19],
    // Four letters have too many neighbours that are names in their own right, and acme.com is one of them.
    ['ACME', 'acme.example', 13],
  ])('of twenty synthetic attacks on %s at %s, at least %d', (name, domain, least) => {
    const models = withBrand(name, [domain]);
    const [brand] = models.configuredBrands;
    if (brand === undefined) throw new Error('no brand was configured');
    const { attacks, own } = tryAttacks(brand, models);
    expect(attacks).toHaveLength(20);
    expect(attacks.filter(({ decision }) => decision !== 'allow').length).toBeGreaterThanOrEqual(least);
    expect(own.map(({ decision }) => decision)).toEqual(['allow']);
  });
});

test('a name with ß is found without its umlauts as well', () => {
  const models = withBrand('Süßbäckerei', ['süßbäckerei.example']);
  for (const host of ['suessbaeckerei-login.com', 'sussbackerei-login.com'])
    expect(codesOf(classify(models, `https://${host}/`))).toContain('brand.taught_imitated');
});

describe('legitimate uses of the name are allowed', () => {
  test.each([
    'https://nordwerk.example/login',
    'http://nordwerk.example/wp-login.php',
    'https://sso.nordwerk.example:8443/account/verify?token=1',
    'https://github.com/nordwerk/portal',
    'https://www.heise.de/news/nordwerk-login.html',
    'https://kleinstadt-zeitung.de/nordwerk-eroeffnet-neues-werk/',
    'https://nordwind.de/',
    'https://werknord-verein.de/',
  ])('%s', (url) => {
    expect(classify(NORDWERK, url).decision).toBe('allow');
  });

  test('a configured IP address, host on a platform, or domain with accents', () => {
    const models = withBrand('Kleine Firma', ['198.51.100.7', 'kleine-firma.weebly.com', 'kleinefirmä.de']);
    const logins = [
      'http://198.51.100.7/login',
      'https://kleine-firma.weebly.com/login',
      'https://kleinefirmä.de/login',
    ];
    expect(logins.map((url) => classify(models, url).decision)).toEqual(['allow', 'allow', 'allow']);
    expect(classify(models, 'https://other.weebly.com/').verdict).toEqual(
      classify(MODELS, 'https://other.weebly.com/').verdict,
    );
  });

  test('on a configured domain, whatever its pages look like', () => {
    const url = 'https://nordwerk.example/login';
    const odd = '<title>PayPal</title><form action=https://api.telegram.org/bot1/x><input type=password></form>';
    for (const html of [PORTAL, odd]) expect(classify(NORDWERK, url, withPage(url, html)).decision).toBe('allow');
  });

  test('except a third-party page or link to which a configured domain leads', () => {
    const html =
      '<title>PayPal: log in</title><p>© PayPal<form action=/in.php><input name=email><input type=password></form>';
    const seen = withPage('https://nordwerk.example/go', html, 'https://paypal-login.evil.top/signin');
    const stays = withPage('https://nordwerk.example/go', html);
    const logOdds = (of: Observations) => classify(NORDWERK, 'https://nordwerk.example/go', of).verdict.logOdds;
    expect(logOdds(seen) - logOdds(stays)).toBeGreaterThan(5);
    const wrapped = `https://nordwerk.example/?url=${encodeURIComponent('http://paypal-login.verify-account.cyou/signin')}`;
    expect(classify(NORDWERK, wrapped).decision).toBe('block');
  });

  test('except a configured domain on a blocklist of the operator', () => {
    const blocked = { list: 'ours.txt', entry: 'nordwerk.example', line: 1 };
    const lists = { state: 'observed', value: { blocked, allowed: null }, elapsedMs: 0 } as const;
    expect(classify(NORDWERK, 'https://nordwerk.example/', { ...NOTHING, lists }).decision).toBe('block');
  });
});

describe('a copy of a configured page', () => {
  test.each(['https://kundenportal-hafen.de/', 'https://harbour-club.org/', 'https://someone.github.io/x/'])(
    'is blocked on %s',
    (url) => {
      const assessment = classify(NORDWERK, url, withPage(url, PORTAL));
      expect(assessment.decision).toBe('block');
      expect(codesOf(assessment)).toEqual(expect.arrayContaining(['page.own_brand_clone', 'brand.taught_imitated']));
    },
  );
});

test('the weights of reasons add up to the verdict, including those of configured brands', () => {
  for (const url of ['https://nordwerk.example/login', 'http://login-nordwerk.com/', 'https://nordwerk.evil.net/']) {
    const { verdict } = classify(NORDWERK, url, withPage(url, PORTAL));
    const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
    expect(Math.abs(sum - Math.log(verdict.probability / (1 - verdict.probability)))).toBeLessThan(1e-6);
  }
});

test('models with configured brands have another version, and the original one after removal', () => {
  expect(NORDWERK.version).toMatch(/^test\+[0-9a-f]{8}$/);
  expect(withBrand('Nordwerk', ['nordwerk.example'], [PORTAL]).version).toBe(NORDWERK.version);
  const forgot = withConfiguredBrands(NORDWERK, []);
  expect(forgot.version).toBe('test');
  const url = 'http://login-nordwerk.com/';
  expect(classify(forgot, url)).toEqual(classify(MODELS, url));
});
