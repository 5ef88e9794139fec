import { describe, expect, test } from 'bun:test';
import {
  addConfiguredBrand,
  ConfiguredBrandError,
  formatConfiguredBrands,
  isOnBrandDomain,
  parseConfiguredBrands,
} from '#src/engine/analyzers/page/configured-brand.ts';
import { fingerprintPage, likeness } from '#src/engine/analyzers/page/page-fingerprint.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';
import { featuresOf, subjectOf } from './features-of.ts';

const PORTAL = `<title>Nordwerk sign-on</title><link rel=stylesheet href=/assets/nw-portal-7f3.css><img src=/assets/nw-crest.svg>
<h1>Welcome to the portal of Nordwerk</h1><p>Sign in with your staff number and the password that you also use for your desk computer.
If you forgot it, ask the help desk in the main hall, open from eight to five on every working day.</p>
<form action=/sso method=post><input name=staff_no><input type=password name=pin_or_password><button>Sign in</button></form>`;

function documentOf(html: string): PageDocument {
  const { page } = subjectOf(html).observations;
  if (page.state !== 'observed' || page.value.document === null) throw new Error('the page was not read');
  return page.value.document;
}

const configured = addConfiguredBrand([], 'Nordwerk', ['nordwerk.test'], [documentOf(PORTAL)]);
const clone = (html: string, url: string) => featuresOf(html, url, configured)['page.own_brand_clone'];

describe('a configured portal', () => {
  test('is recognized on another host, even if slightly altered', () => {
    const altered = PORTAL.replace('/sso', 'post.php')
      .replace('Welcome to the', 'The')
      .replaceAll('/assets/', 'x_files/');
    expect(clone(PORTAL, 'https://nordwerk-sso.test/')?.value).toBe(1);
    expect(clone(altered, 'https://nordwerk-sso.test/')?.value).toBeGreaterThan(0.7);
    expect(said(clone(altered, 'https://nordwerk-sso.test/') ?? undefined)).toContain('Nordwerk');
  });

  test('has no finding on its own hosts', () => {
    expect(clone(PORTAL, 'https://nordwerk.test/')).toBeUndefined();
    expect(clone(PORTAL, 'https://sso.nordwerk.test/')).toBeUndefined();
    expect(clone(PORTAL, 'https://notnordwerk.test/')).toBeDefined();
  });

  test('is distinguished from a different login page', () => {
    const other = `<title>Library</title><h1>Your library card</h1><p>Sign in to renew your books, pay a fee, or reserve a room for your group.</p>
      <form action=/in><input name=user><input type=password name=password></form>`;
    expect(clone(other, 'https://library.test/')).toBeUndefined();
  });

  test('is recognized by its name in a login on another host', () => {
    const html = '<title>Nordwerk webmail</title><form action=a.php><input type=password></form>';
    expect(clone(html, 'https://mail-login.test/')?.value).toBe(0.6);
    expect(clone('<title>Nordwerk wins a prize</title>', 'https://news.test/')).toBeUndefined();
  });
});

describe('configured brands', () => {
  test('round-trip through their file', () => {
    expect(parseConfiguredBrands(formatConfiguredBrands(configured))).toEqual(configured);
  });

  test('keep their domains and pages when added again', () => {
    const [brand] = addConfiguredBrand(configured, 'NORDWERK', ['intra.nordwerk.example', 'nordwerk.test'], []);
    expect(brand).toMatchObject({ name: 'Nordwerk', domains: ['intra.nordwerk.example', 'nordwerk.test'] });
    expect(brand?.pages).toHaveLength(1);
  });

  test.each(['', 'com', 'co.uk', 'a b', 'https://x.test/y', 'x.test/path', 'x.test:8080', 'user@x.test'])(
    'refuse the domain %p',
    (domain) => {
      expect(() => addConfiguredBrand([], 'X', [domain], [])).toThrow(ConfiguredBrandError);
    },
  );

  test.each(['', '[]', '{"version":2,"brands":[]}', '{"version":1,"brands":[{"name":1}]}', 'null'])(
    'refuse the file %p',
    (text) => {
      expect(() => parseConfiguredBrands(text)).toThrow(ConfiguredBrandError);
    },
  );

  test('contain their hosts and subdomains, in any notation', () => {
    const [brand] = addConfiguredBrand([], 'X', [' Bücher.test. ', '2001:db8:0::7'], []);
    expect(brand?.domains).toEqual(['2001:db8::7', 'xn--bcher-kva.test']);
    const isHome = (url: string) => brand && isOnBrandDomain(brand, targetOf(url).host);
    expect(['xn--bcher-kva.test', 'a.bücher.test', '[2001:db8::7]'].map(isHome)).toEqual([true, true, true]);
    expect(['test', 'xbücher.test', '[2001:db8::8]'].map(isHome)).toEqual([false, false, false]);
  });

  test('require a domain', () => {
    expect(() => addConfiguredBrand([], 'X', [], [])).toThrow(/--domain/);
  });
});

test('the similarity of pages is symmetric, and 1 for the same page', () => {
  const left = fingerprintPage(documentOf(PORTAL));
  const right = fingerprintPage(documentOf(PORTAL.replace('help desk', 'front desk')));
  expect(likeness(left, left)).toBe(1);
  expect(likeness(left, right)).toBe(likeness(right, left));
  expect(likeness(left, right)).toBeLessThan(1);
});
