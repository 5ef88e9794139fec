import { describe, expect, test } from 'bun:test';
import type { PageDocument, PageOrigin } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { createRandom } from '#test/support/random.ts';

const url = 'https://page.example/dir/index.html';

function read(html: string, limits = USUAL_HTML_LIMITS): PageDocument {
  return readPage(new TextEncoder().encode(html), { contentType: 'text/html; charset=utf-8', url }, limits);
}

const RICH = `<!doctype html><html lang=en><head><title>Pay&#80;al &amp; co</title><base href="/b/">
<meta name=description content="Sign &quot;in&quot;"><link rel="shortcut icon" href="i.ico">
<script>var a = "</div>"; document.write(unescape('%3Cform%20action%3Dpost.php%3E'));</script></head>
<body oncontextmenu="return false"><h1>Hello <b>you</b></h1><p style="display: none">sec&shy;ret &notin; &am
<label>Your <i>password</i> <input type=password name=p></label><button formaction="https://x.example/">Go&hellip;</button>
<!-- a comment --><svg><title>no</title><a href=/svg><text>x</text></a></svg><noscript><a href=/ns>n</a></noscript>
<iframe srcdoc="<form action=inner><input name=card_number></form>"></iframe><textarea><a href=no></textarea>
<table><tr><td>Kennwort:<td><input name=x type=password></table><a href="&#106;avascript:x">d</a>&#83;ign é 日本`;

describe('a page', () => {
  test.each([1, 2, 3, 7, 64, 1000, 1_000_000])(
    'read in chunks of %d characters returns the same document',
    (chunkCharacters) => {
      expect(read(RICH, { ...USUAL_HTML_LIMITS, chunkCharacters })).toEqual(read(RICH));
    },
  );

  test('is equal after conversion to JSON and back', () => {
    const page = read(RICH);
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
  });

  test.each(Array.from({ length: 40 }, (_, i) => Math.floor((RICH.length * i) / 40)))(
    'truncated after %d characters is still read',
    (length) => {
      expect(read(RICH.slice(0, length)).url).toBe(url);
    },
  );

  test('with random bytes is read without an exception', () => {
    const random = createRandom(4);
    for (let round = 0; round < 50; round++) {
      const bytes = Uint8Array.from({ length: 2000 }, () => random.below(256)).map((byte) => (byte % 5 ? byte : 0x3c));
      for (const contentType of [null, 'text/html; charset=utf-16le', 'text/html; charset=iso-2022-jp']) {
        expect(readPage(bytes, { contentType, url }).limits).toEqual([]);
      }
    }
  });
});

describe('text', () => {
  test('that an inline style hides is stored separately', () => {
    const page = read('<p>Shown</p><div style="DISPLAY : none"><p>Secret</p></div><p hidden>Also</p><p>End');
    expect(page.visibleText).toBe('Shown\nEnd');
    expect(page.hiddenText).toBe('Secret\nAlso');
  });

  test('of a hidden body that a script can show is visible', () => {
    expect(read('<body style="visibility:hidden"><p>Sign in').visibleText).toBe('Sign in');
  });

  test('of a template is hidden, and text of an option is omitted', () => {
    const page = read('<head>No body tag<template><p>Later</p></template><select><option>Albania</select>');
    expect([page.visibleText, page.hiddenText]).toEqual(['No body tag', 'Later']);
  });

  test('of a CDATA section ends at the first >, as in browsers', () => {
    expect(read('<![CDATA[ a > shown <a href=/x>b</a>').links).toHaveLength(1);
  });

  test('of an HTML element within an SVG drawing is read as HTML', () => {
    const page = read('<svg><p><title>T</title><textarea><a href=/no></textarea>');
    expect([page.title, page.links]).toEqual(['T', []]);
  });

  test('with NUL characters inside a word is read as the word', () => {
    expect(read('Pay\0pal').visibleText).toBe('Paypal');
  });

  test('in character references is decoded and counted', () => {
    const page = read('<title>&#83;&#105;&#x67;n &#8364;</title>&#65;');
    expect(page.title).toBe('Sign €');
    expect(page.counts.spelledTitleLetters).toBe(3);
    expect(page.counts.spelledLetters).toBe(4);
  });
});

describe('the text of an element', () => {
  test('leaves out what is hidden between its letters', () => {
    const page = read(`<style>.n{display:none}</style><p>Enough to see beside it: welcome to the page of this house.</p>
      <h1>Pay<i style="font-size:0">x</i>wel<b class=n>y</b>l</h1>
      <label for=p>Pass<i hidden>z</i>word</label><input id=p type=text name=a><a href=/in>Log<i style="display:none">q</i> in</a>`);
    expect(page.headings).toEqual(['Paywell']);
    expect(page.forms[0]?.fields[0]).toMatchObject({ label: 'Password', kind: 'password' });
    expect(page.links[0]?.text).toBe('Log in');
  });

  test('is all of it if nothing is shown', () => {
    const page = read('<div hidden><h1>Pay<b>well</b></h1></div><label hidden>Password<input name=a></label>');
    expect(page.headings).toEqual(['Paywell']);
    expect(page.forms[0]?.fields[0]?.label).toBe('Password');
  });
});

describe('a page in a frame', () => {
  const inner = '<p>Log in</p><form action="https://x.example/"><input type=password></form>';
  const encoded = encodeURIComponent(inner);

  test.each([
    ['a frame of a set', `<frameset rows="100%"><frame src="data:text/html,${encoded}"></frameset>`, 'srcdoc'],
    ['a script address', `<iframe src="javascript:'${encoded}'"></iframe>`, 'written'],
    ['a script address with a line break', `<iframe src="java\nscript:'${encoded}'"></iframe>`, 'written'],
    ['a script address with a bare percent sign', `<iframe src="javascript:'100%${encoded}'"></iframe>`, 'written'],
  ] as const)('is read: %s', (_, html, origin) => {
    const page = read(html);
    expect(page.forms).toMatchObject([{ origin, action: 'https://x.example/' }]);
    expect(page.visibleText).toContain('Log in');
    expect(page.frames).toMatchObject([{ inline: true }]);
  });

  const refreshed = (attributes: string, content = '0;url=https://x.example/in') =>
    read(`<iframe ${attributes} srcdoc='<meta http-equiv=refresh content="${content}">'></iframe>`).frames.slice(1);

  test.each(['', 'sandbox="allow-scripts"'])('that leads on is a frame of the target: %s', (attributes) => {
    const size = 'style="position:fixed;inset:0;width:100%;height:100%"';
    const found = {
      source: 'https://x.example/in',
      url: 'https://x.example/in',
      inline: false,
      size: 'window',
    } as const;
    expect(refreshed(`${attributes} ${size}`)).toEqual([found]);
  });

  test('that does not lead on is no other frame', () => {
    expect(refreshed('', '30')).toEqual([]);
    expect(refreshed('', 'url=https://x.example/')).toEqual([]);
    expect(refreshed('sandbox')).toEqual([]);
    expect(refreshed('sandbox=allow-forms')).toEqual([]);
    expect(
      read(`<noscript><iframe srcdoc='<meta http-equiv=refresh content=0;/in>'></iframe></noscript>`).frames,
    ).toHaveLength(1);
  });
});

describe('forms', () => {
  test('resolve their action against the base URL', () => {
    const [form] = read('<form action=login.php method=POST><base href=https://evil.example/kit/>').forms;
    expect(form).toMatchObject({ action: 'https://evil.example/kit/login.php', method: 'post' });
  });

  test('ignore a base that is not a web address', () => {
    expect(read('<base href="data:text/html,x"><form action=in>').forms[0]?.action).toBe('https://page.example/dir/in');
  });

  test('without an action are sent to the URL of the page', () => {
    expect(read('<form><input></form><form action="#">').forms.map((form) => form.action)).toEqual([url, url]);
  });

  test('contain the actions of their buttons', () => {
    const [form] = read('<form action=/safe><input type=password><button formaction=https://evil.example/>Go').forms;
    expect(form).toMatchObject({ buttonActions: ['https://evil.example/'], buttonTexts: ['Go'] });
  });

  test('without a form element are collected in one scripted form', () => {
    expect(read('<div><input type=email><input type=password></div>').forms).toMatchObject([
      { element: false, action: null, scripted: true, fields: [{ kind: 'email' }, { kind: 'password' }] },
    ]);
  });

  test('have their origin: template, shadow root, inner page, written markup or noscript', () => {
    const origins = [
      '<template><form></form></template>',
      '<div><template shadowrootmode=open><form></form></template></div>',
      `<iframe srcdoc='<form></form>'></iframe>`,
      `<script>document.write(unescape("%3Cform%3E%3C/form%3E"))</script>`,
      `<script>var s = '\\x3cform\\x3e'; document.write(s)</script>`,
      `<script>eval(atob("${btoa('document.write("<form></form>")')}"))</script>`,
      `<script>document.body.innerHTML = decodeURIComponent(escape(atob("${btoa('<form></form>')}")))</script>`,
      `<script>document.write(String.fromCharCode(${[...'<form></form>'].map((c) => c.charCodeAt(0)).join(', ')}))</script>`,
      `<iframe src="data:text/html;base64,${btoa('<form></form>')}"></iframe>`,
      `<iframe src="data:text/html,%3Cform%3E"></iframe>`,
      '<noscript><form></form></noscript>',
    ].map((html) => read(html).forms.map((form) => form.origin));
    const written = Array<PageOrigin[]>(5).fill(['written']);
    expect(origins).toEqual([['template'], ['shadow'], ['srcdoc'], ...written, ['srcdoc'], ['srcdoc'], ['noscript']]);
  });

  test('in a long inner page are found', () => {
    const inner = `${'x'.repeat(20_000)}<form action=/late></form>`;
    expect(read(`<iframe srcdoc="${inner}"></iframe>`).forms.map((form) => form.actionAttribute)).toEqual(['/late']);
  });

  test('may start in written markup and continue in the page', () => {
    const page = read(`<script>document.write("<form action=a.php>")</script><input type=password>`);
    expect(page.forms).toMatchObject([{ actionAttribute: 'a.php', fields: [{ type: 'password' }] }]);
  });

  test('in an inner page end with that page', () => {
    const page = read(
      `<form action=/outer><iframe srcdoc="<form action=/inner><input name=i>"></iframe><input name=o>`,
    );
    expect(page.forms.map((form) => form.fields.map((field) => field.name))).toEqual([['o'], ['i']]);
  });
});

describe('fields are classified by type, name or label', () => {
  const kindOf = (html: string) => read(`<form>${html}</form>`).forms[0]?.fields[0]?.kind;
  test.each([
    ['password', '<input type=password name=x>'],
    ['password', '<input type=text placeholder="Passwort">'],
    ['password', '<input type=text style="-webkit-text-security: disc">'],
    ['password', '<label for=q>密码</label><input id=q>'],
    ['password', '<input autocomplete="section-a current-password">'],
    ['password', '<td>Mot de passe :</td><td><input name=mc></td>'],
    ['card_number', '<input name="cardNumber">'],
    ['card_number', '<input placeholder="Número de tarjeta">'],
    ['card_code', '<input type=password name=cvv>'],
    ['one_time_code', '<input name=c placeholder="SMS-Code">'],
    ['one_time_code', '<input autocomplete=one-time-code>'],
    ['seed_phrase', '<textarea placeholder="Enter your 12-word secret phrase"></textarea>'],
    ['identity_number', '<input name=ssn>'],
    ['email', '<input name=login_email>'],
    ['email', '<input placeholder="Adresse e-mail">'],
    ['user_name', '<label>Benutzername <input></label>'],
    ['phone', '<input type=tel name=t>'],
    ['search', '<input type=search name=password>'],
    ['hidden', '<input type=hidden name=password>'],
    ['other', '<input type=checkbox name=remember_password>'],
    ['other', '<select name=password></select>'],
  ])('%s: %s', (kind, html) => {
    expect(kindOf(html)).toBe(kind as never);
  });

  test('a preset e-mail address is stored', () => {
    const [form] = read('<form><input name=e value=anna@corp.example><input value=x@y>').forms;
    expect(form?.fields.map((field) => field.presetEmail)).toEqual(['anna@corp.example', null]);
  });
});

describe('links and assets of a page', () => {
  test('dead links are counted', () => {
    const { counts } = read(
      '<a href=#>a</a><a href="javascript:void(0)">b</a><a href="">c</a><a href=/x>d</a><a>e</a>',
    );
    expect(counts).toMatchObject({ links: 4, deadLinks: 3 });
  });

  test('icons, images in styles and alternative texts are stored with their URLs', () => {
    const page = read(
      '<link rel="shortcut icon" href=/f.ico><img src=https://logo.example/l.png alt=Logo><p style="background:url(bg.png)">' +
        '<style>a{background:url("https://cdn.example/s.svg")}</style><img src="data:image/png;base64,AAAA">',
    );
    expect(page.assets.map(({ kind, url, alt }) => [kind, url, alt])).toEqual([
      ['icon', 'https://page.example/f.ico', ''],
      ['image', 'https://logo.example/l.png', 'Logo'],
      ['image', 'https://page.example/dir/bg.png', ''],
      ['image', 'https://cdn.example/s.svg', ''],
      ['image', null, ''],
    ]);
  });

  test('the target of a meta refresh is resolved', () => {
    const orders = ['0;url=https://evil.example/', '5; URL=x', '0; "/q"', '3', '1,/y', 'x;/z', ''].map(
      (content) => read(`<meta http-equiv=refresh content='${content}'>`).refreshes[0],
    );
    expect(orders.map((order) => [order?.delaySeconds, order?.url])).toEqual([
      [0, 'https://evil.example/'],
      [5, 'https://page.example/dir/x'],
      [0, 'https://page.example/q'],
      [3, url],
      [1, 'https://page.example/y'],
      [null, null],
      [null, null],
    ]);
  });
});

describe('scripts', () => {
  const marksOf = (script: string) => read(`<script>${script}</script>`).scripts.marks;
  test.each([
    ['blocks_context_menu', 'document.addEventListener("contextmenu", e => e.preventDefault())'],
    ['blocks_developer_tools', 'if (event.keyCode == 123) return false'],
    ['packed', 'eval(function(p,a,c,k,e,d){})'],
    ['hex_identifiers', Array.from({ length: 12 }, (_, i) => `_0x1a2b3${i % 10}=1`).join(';')],
    ['evaluates_encoded_text', 'eval(atob(x))'],
    ['encoded_markup', 'document.write(unescape("%3Cp%3E"))'],
    ['reads_email_from_address', 'var email = window.location.hash.substr(1)'],
    ['posts_by_script', '$.post("x.php", {})'],
    ['looks_for_bots', 'if (navigator.webdriver) stop()'],
    ['redirects', 'window.location.href = "https://x.example"'],
  ])('%s', (mark, script) => {
    expect(marksOf(script)).toContain(mark as never);
    expect(marksOf('var a = 1; function go() { return a }')).toEqual([]);
  });

  test('the loader of an analytics service is not marked as encoded markup', () => {
    expect(marksOf(`document.write(unescape("%3Cscript src='//s.example/ga.js'%3E%3C/script%3E"))`)).toEqual([]);
  });

  test('URLs are found, including escaped and encoded ones', () => {
    const script = `post("https:\\/\\/api.telegram.org\\/bot1:a\\/sendMessage"); x = atob("${btoa('https://hidden.example/p')}")`;
    expect(read(`<script>${script}</script>`).scripts.endpoints).toEqual([
      'https://api.telegram.org/bot1:a/sendMessage',
      'https://hidden.example/p',
    ]);
  });

  test('of other types than JavaScript are only counted', () => {
    const { scripts } = read('<script type="application/ld+json">{"a":"https://x.example"}</script>');
    expect(scripts).toMatchObject({ inlineCount: 1, endpoints: [] });
  });
});

test('content nested deeper than the limit is still read, and the limit is reported', () => {
  const page = read(
    `${'<div>'.repeat(1000)}<form action=/deep><input type=password></form>${'</div>'.repeat(1000)}<h1>End`,
  );
  expect(page.forms).toMatchObject([{ actionAttribute: '/deep', fields: [{ kind: 'password' }] }]);
  expect(page.headings).toEqual(['End']);
  expect(page.limits).toEqual(['depth']);
});
