import { describe, expect, test } from 'bun:test';
import { readVisitedPage } from '#src/engine/analyzers/page/brand-claim.ts';
import { OWN_PRINT_FEATURES } from '#src/engine/analyzers/page/own-prints.ts';
import { type PageFeatureName, pageAnalyzer } from '#src/engine/analyzers/page.ts';
import type { CertificateInfo } from '#src/network/certificate/info.ts';
import { said } from '#test/support/said.ts';
import { featuresOf, subjectOf } from './features-of.ts';
import { LOGIN, SIGNAL_PAGES } from './signal-pages.ts';

const CERTIFICATE: CertificateInfo = {
  trusted: true,
  faults: [],
  subject: 'CN=some-host.test',
  issuer: 'CN=Some Authority',
  sans: ['some-host.test'],
  sanCount: 1,
  validFrom: '2026-01-01T00:00:00.000Z',
  validTo: '2026-03-01T00:00:00.000Z',
  daysRemaining: 30,
  ageDays: 30,
  key: 'EC P-256',
  signatureAlgorithm: 'ecdsa-with-SHA256',
  fingerprintSha256: '00'.repeat(32),
  chain: [],
  protocol: 'TLSv1.3',
};

describe('finds each signal on its page, and not on the page without it', () => {
  test.each(SIGNAL_PAGES)('%s', (name, present, absent) => {
    const feature = featuresOf(present)[name];
    expect(feature?.value).toBeGreaterThan(0);
    expect(feature?.value).toBeLessThanOrEqual(1);
    expect(said(feature)).toMatch(/^[A-Z].{15,}[^.]\.$/);
    expect(featuresOf(absent)[name]).toBeUndefined();
  });

  test('every feature has a page with it and a page without it', () => {
    const elsewhere: PageFeatureName[] = [
      ...OWN_PRINT_FEATURES,
      ...(['page.own_brand', 'page.own_brand_clone', 'page.unread_document'] as const),
    ];
    expect([...SIGNAL_PAGES.map(([name]) => name), ...elsewhere].sort()).toEqual([...pageAnalyzer.features].sort());
  });
});

test('returns null for a page that was not read', () => {
  const subject = subjectOf('');
  const skipped = { state: 'skipped', reason: 'disabled' } as const;
  expect(readVisitedPage({ ...subject, observations: { page: skipped } })).toBeNull();
  const { page } = subject.observations;
  if (page.state !== 'observed') throw new Error('the page was not read');
  const noHtml = { ...page, value: { ...page.value, document: null } };
  expect(readVisitedPage({ ...subject, observations: { page: noHtml } })).toBeNull();
  expect(pageAnalyzer.analyze({ page: null, observations: { page: skipped } })).toBeNull();
  expect(pageAnalyzer.analyze({ page: null, observations: { page: noHtml } })).toBeNull();
});

test('a form that is sent to a script with an ordinary name has a lower value', () => {
  const strengthOf = (action: string) =>
    featuresOf(LOGIN.replace('/session', action))['page.posts_to_kit_script']?.value;
  const values = [
    'next.php',
    'kit/next.php',
    'https://some-host.test/kit/next.php',
    'hqpz.php',
    'login.php',
    'https://other.test/next.php',
  ].map(strengthOf);
  expect(values).toEqual([1, 0.6, 0.6, 0.5, 0.25, undefined]);
});

test.each([
  'Sign In',
  'Anmelden',
  'Se connecter',
  'Iniciar sesión',
  'Войти',
  'ログイン',
  '로그인',
  '邮箱登录',
  'Webmail :: Login 2026',
])('the title “%s” names no site', (title) => {
  expect(featuresOf(`<title>${title}</title>${LOGIN}`)['page.nameless_title']).toBeDefined();
  expect(featuresOf(`<title>${title} Acme</title>${LOGIN}`)['page.nameless_title']).toBeUndefined();
});

describe('a brand is claimed', () => {
  const claimed = (html: string, url?: string) => featuresOf(html, url)['page.asks_as_foreign_brand']?.value ?? 0;

  test('with higher confidence for more places', () => {
    const title = `<title>Paywell</title>`;
    const foot = '<footer>© 2026 Paywell</footer>';
    const icon = '<link rel=icon href=https://www.paywell-static.example/favicon.ico>';
    const values = [title, title + foot, title + foot + icon].map((html) => claimed(html + LOGIN));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values[0]).toBeLessThan(values[2] ?? 0);
  });

  test.each([
    '<p>Paywell © 2026',
    '<p>© 2026 Paywell',
    '<p>Copyright 2024 Paywell Inc. All rights reserved',
    '<meta property=og:site_name content=Paywell>',
    '<title>Welcome to Paywell</title>',
    '<title>Log in - Line</title>',
    '<link rel=canonical href=https://www.paywell.example/login>',
    '<link rel=stylesheet href=https://static.paywell-static.example/look.css>',
  ])('by %s', (html) => {
    expect(claimed(`${html}\n${LOGIN}`)).toBeGreaterThan(0.4);
  });

  test.each(['Paywe11', 'Раywell', 'Payvvell'])('also if it is spelled %s', (name) => {
    const features = featuresOf(`<title>${name}</title>${LOGIN}`);
    expect(features['page.asks_as_foreign_brand']?.value).toBeGreaterThan(0.5);
    expect(said(features['page.look_alike_words'])).toContain('Paywell');
  });

  test('legitimately if the site belongs to the brand', () => {
    const features = featuresOf(`<title>Paywell</title>${LOGIN}© Paywell`, 'https://www.paywell.example/');
    expect(features['page.asks_as_foreign_brand']).toBeUndefined();
    expect(said(features['page.own_brand'])).toContain('Paywell');
    expect(readVisitedPage(subjectOf('<title>Paywell</title>', 'https://paywell.example/'))?.claim).toMatchObject({
      brand: { name: 'Paywell' },
      isOwn: true,
    });
  });

  test('by a page on the site of another brand only if the site is a platform', () => {
    const html = `<title>First Harbour Bank</title>${LOGIN}© First Harbour Bank`;
    expect(claimed(html, 'https://www.paywell.example/')).toBe(0);
    expect(claimed(html, 'https://forms.paywell.example/f/1')).toBeGreaterThan(0.8);
  });

  test('legitimately if a trusted certificate names the brand as owner of the site', () => {
    const html = `<title>Paywell</title>${LOGIN}© Paywell`;
    const ownOf = (part: Partial<CertificateInfo>, host = 'some-host.test') => {
      const subject = subjectOf(html, `https://${host}/`);
      const certificate = { state: 'observed', value: { ...CERTIFICATE, ...part }, elapsedMs: 0 } as const;
      return readVisitedPage({ ...subject, observations: { ...subject.observations, certificate } })?.claim?.isOwn;
    };
    expect(ownOf({})).toBe(false);
    expect(ownOf({ sans: ['some-host.test', '*.paywell.example'] })).toBe(true);
    expect(ownOf({ subject: 'CN=some-host.test, O=Paywell\\, Inc., C=US' })).toBe(true);
    expect(ownOf({ sans: ['some-host.test', '*.paywell.example'], trusted: false })).toBe(false);
    const network = Array.from({ length: 20 }, (_, i) => `customer-${i}.test`);
    expect(ownOf({ sans: ['www.paywell.example', ...network] })).toBe(false);
  });

  test('on a host that contains its name', () => {
    const html = `<title>Paywell</title>${LOGIN}© Paywell`;
    expect(claimed(html, 'https://paywell-login.test/')).toBeGreaterThan(0.8);
  });

  test('on a host whose name consists of generic login words', () => {
    const html = `<title>Paywell</title><h1>Secure login: verify your account</h1>${LOGIN}© Paywell`;
    for (const host of ['secure-login.test', 'securelogin.test', 'verify-account24.test']) {
      expect(claimed(html, `https://${host}/`)).toBeGreaterThan(0.8);
    }
  });

  test('with low confidence if the page names its own site', () => {
    const html = `<title>Pay with Paywell – Shoes by Anna</title>${LOGIN}<p>© 2026 Shoesbyanna`;
    expect(claimed(html, 'https://shoesbyanna.test/')).toBeLessThan(0.35);
  });

  test('not by buttons of sign-in providers', () => {
    const html = `<title>Shoes by Anna</title>${LOGIN}<button><img alt="Paywell logo" src=p.svg>Continue with Paywell</button>`;
    expect(claimed(html, 'https://shoesbyanna.test/')).toBe(0);
  });

  test('not by an ordinary word that is also a brand', () => {
    expect(claimed(`<title>Our new line of shoes</title>${LOGIN}`)).toBe(0);
  });
});
