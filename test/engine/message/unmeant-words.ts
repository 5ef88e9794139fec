/** Sentences in the languages of the web page, with one place for a word. */
export const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  ar: ['فتحنا WORD ثم أرسلناه إليك.', 'راجع WORD غدًا.'],
  de: ['Wir haben WORD geöffnet und gelesen.', 'Bitte prüfen Sie noch WORD, bevor wir fortfahren.'],
  en: [
    'We changed WORD and tried it again.',
    'We looked at WORD, then at (WORD) on Friday.',
    'The problem is in “WORD”, as before; see (WORD).',
  ],
  es: ['Hemos cambiado WORD esta mañana.', 'El error se debe a "WORD".'],
  fr: ['Nous avons modifié WORD hier soir.', 'Le problème vient de « WORD ».'],
  it: ['Abbiamo modificato WORD ieri sera.', 'Il problema riguarda WORD!'],
  ja: ['WORD を変更しました。', '問題は「WORD」です。'],
  pt: ['Alteramos WORD ontem à noite.', 'O erro apareceu com WORD...'],
};

/** Words with dots that no one means as an address. */
export const WORDS: readonly string[] = [
  // Versions, amounts, dates, times.
  ...['2.43.0', '1.2.0.3', 'v3.11.2', '1.0.0-rc.1', '103.990', '1.234,56', '245.660', '12.05.2026', '10.30', '7.2.'],
  ...['1.500.00', '5.am', '3.pm', '99.co', 'v1.2.dev', '10.0.0.0/8', '192.0.2.0/24', '6.1.0-18-amd64'],
  // Files.
  ...['nonspam-daniel.log', '2aa658b6.png', 'smime.p7s', 'report.final.pdf', 'README.md', 'setup.py', 'run.sh'],
  ...['libfoo.so', 'archive.tar.gz', 'invoice.zip', 'clip.mov', 'config.h.in', 'main.rs', 'Makefile.am', 'get_host.pl'],
  ...['model.pt.json', 'notes.txt', 'app.js:12', 'main.py:33', 'src.rs:7:2', 'multi-user.target', 'messages.mo'],
  // Identifiers.
  ...['System.Web.UI', 'os.path.join', 'java.lang.String', 'org.apache.commons.io', 'com.google.common.base'],
  ...['self.data.name', 'window.location.host', 'process.env.HOME', 'this.state.live', 'user.email', 'np.random.rand'],
  ...['ASP.NET', 'System.Net', 'Node.js', 'e.target', 'Date.now', 'req.body.id', 'foo.bar', 'arr.map(x', 'a.b.c'],
  // Abbreviations.
  ...['U.S.A.', 'U.S.', 'e.g.', 'i.e.', 'z.B.', 'd.h.', 'p.m.', 'Ph.D.', 'Dr.med.', 'S.p.A.', 'Co.Ltd', 'St.Gallen'],
  ...['p.ej.', 'c.-à-d.', 'S.A.', 'Inc.', 'vol.ii', 'al.et', 'Sr.', 'n.d.r.'],
  // Sentences that meet, in several languages.
  ...['sign.in', 'now.If', 'reserved.No', 'discretion.Safety', 'today.It', 'done.so', 'it.is', 'here.be', 'over.To'],
  ...['fertig.So', 'Haus.Es', 'casa.La', 'hoy.No', 'listo.si', 'fini.La', 'bien.ma', 'fatto.Si', 'sera.la', 'feito.No'],
  ...['hoje.Na', 'obrigado.as', 'follow.me', 'contact.us', 'check.it', 'come.in', 'thank.you', 'hello.world'],
  // Leaders, ellipses, quotes, brackets.
  ...[
    'Chapter.....',
    'work...',
    'COLOPHON.....',
    'wait...what',
    'Budman."',
    'newsletter.)',
    'etc.…',
    '…end',
    'one..two',
  ],
  // Encoded and structured text.
  ...['boundary="----=_Part_12.34567.89"', '=_NextPart.com.000', 'x-foo.bar_baz.com', 'E-Mail:maria@firma.example'],
  ...['user:test@gmail.com', 'paypal\\.com', '<20260101.1234.abc@mail.example>'],
];

/** Addresses that somebody means, each with its URL. */
export const ADDRESSES: readonly (readonly [written: string, url: string])[] = [
  ['harbourlight-tea.com', 'http://harbourlight-tea.com'],
  ['paypal.com', 'http://paypal.com'],
  ['PAYPAL.COM', 'http://PAYPAL.COM'],
  ['www.paypal.live', 'http://www.paypal.live'],
  ['paypal-login.verify-acct.cyou', 'http://paypal-login.verify-acct.cyou'],
  ['secure-paypal.xyz', 'http://secure-paypal.xyz'],
  ['paypal-support.live', 'http://paypal-support.live'],
  ['sbi-kyc.in', 'http://sbi-kyc.in'],
  ['paypal24.top', 'http://paypal24.top'],
  ['sparkasse.de', 'http://sparkasse.de'],
  ['banco.com.br', 'http://banco.com.br'],
  ['bank.co.uk', 'http://bank.co.uk'],
  ['evil.shop/login', 'http://evil.shop/login'],
  ['bit.ly/3xYz', 'http://bit.ly/3xYz'],
  ['evil.zip/login', 'http://evil.zip/login'],
  ['evil.live:8080', 'http://evil.live:8080'],
  ['192.0.2.7/login', 'http://192.0.2.7/login'],
  ['192.0.2.7:8080', 'http://192.0.2.7:8080'],
  ['пример.рф', 'http://пример.рф'],
  ['bücher.example', 'http://bücher.example'],
  ['evil[.]zip', 'http://evil.zip'],
  ['evil[.]sh/x', 'http://evil.sh/x'],
  ['hxxp://evil.py', 'http://evil.py'],
  ['https://evil.md/README.md', 'https://evil.md/README.md'],
  ['paypal.com@evil.example/login', 'http://paypal.com@evil.example/login'],
  ['paypal.com:pw@evil.example', 'http://paypal.com:pw@evil.example'],
];

/** Lines of code, patches, logs, tables and minutes without a link. */
export const LINES: readonly string[] = [
  '-- \n2.43.0',
  '-- \n2.39.5 (Apple Git-154)',
  'diff --git a/setup.py b/setup.py\nindex 83db48f..bf26ef1 100644\n--- a/setup.py\n+++ b/setup.py',
  '@@ -12,7 +12,7 @@ class Foo(object):\n-    return self.data.name\n+    return self.data.id.hex()',
  ' README.md | 12 ++++++------\n lib/foo.rs | 3 +--\n 2 files changed',
  'package.json\nREADME.md\nrun.sh\nmain.rs\nindex.ts',
  '   at System.Web.UI.Page.ProcessRequest(Boolean a) in Page.cs:line 3\n   at java.lang.Thread.run(Thread.java:748)',
  '  File "/usr/lib/python3.11/os.py", line 12, in join\n    os.path.join(a, b)',
  '2026-01-03T10:00:00Z error db.pool.size=3 user.name=x app.module.run failed',
  'libssl3.0 3.0.2-0ubuntu1.10 amd64\nlibfoo.so.6 => /lib/libfoo.so.6',
  'Introduction .......... 3\nChapter.one............12',
  '| 1.0.2 | 12.50 | foo.py |\n| 1.0.3 | 13.75 | bar.sh |',
  'TOP 1. Begrüßung.Der Vorsitzende eröffnet.Es sind alle da.',
  'Received: from a.mail.example by b.mail.example with ESMTP id 12.34\nX-Mailer: foo.bar.com',
  'M9&5S="YC;VTO9F]O+F)A<BYB87HN<75X+F-O;2]A+F(N8RYD+F4N9BYG+F@N:0I4',
  'begin 644 x.bin\nM.COM/2E8.IN/0.COM/2E8.IN/0.COM/2E8.IN/0.COM/2E8.IN/0.COM/2E8',
  'SGVsbG8sIHRoaXMgaXMgYSB0ZXN0LiBTZWUgd3d3Lm5vLmV4YW1wbGUuY29tL3gK',
  '[RELEASING.md](.github/RELEASING.md)',
  'import java.util.List;\nimport org.apache.commons.io.FileUtils;\nconst { a } = require("./foo.js");',
  'Jan  3 10:00:00 gw.mail.example sshd[12]: Accepted publickey for root',
  'config.name: foo.id\nhost: server.name\npid: process.pid',
  'Subnetz 255.255.255.0\n255.255.255.0',
  'regards,\nBudman."',
  'work...',
  'COLOPHON.....',
  'x.log',
  '103.990',
  'now.If',
];
