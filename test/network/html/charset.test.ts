import { describe, expect, test } from 'bun:test';
import { decodeHtml, decodeReadings, type PageSyntax } from '#src/network/html/charset.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { createRandom } from '#test/support/random.ts';

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const readingsOf = (text: string, contentType = 'text/html', syntax: PageSyntax = 'html') =>
  decodeReadings(latin1(text), contentType, syntax).map(({ encoding }) => encoding);

describe('an encoding that is declared', () => {
  const far = 'x'.repeat(3000);
  test.each([
    ['behind a comment', `<!--${far}--><meta charset=koi8-r>`, 'koi8-r'],
    ['behind a style sheet', `<style>${far}</style><meta charset=koi8-r>`, 'koi8-r'],
    ['behind a tag in a script', `<script>"<body>${far}"</script><meta charset=koi8-r>`, 'koi8-r'],
    ['20 KiB behind', `<link title="${'x'.repeat(20_480)}"><meta charset=koi8-r>`, 'koi8-r'],
    ['behind the head, in the first KiB', `</head><meta charset=koi8-r>`, 'koi8-r'],
    ['behind the head, later', `</head>${far}<meta charset=koi8-r>`, 'windows-1252'],
    ['behind an element of the body', `<p>${far}</p><meta charset=koi8-r>`, 'windows-1252'],
    ['in an attribute', `<link title="<meta charset=koi8-r>">`, 'windows-1252'],
    ['in a tag that never ends', `<meta charset="koi8-r`, 'windows-1252'],
    ['behind one that is unknown', `<meta charset=x-none><meta charset=koi8-r>`, 'koi8-r'],
    ['by an XML declaration', `<?xml version="1.0" encoding='koi8-r'?>`, 'koi8-r'],
    ['by an XML declaration and by meta', `<?xml encoding="gbk"?><meta charset=koi8-r>`, 'koi8-r'],
    ['as UTF-16 in ASCII', `<?xml encoding="utf-16"?>`, 'utf-8'],
  ])('%s', (_, text, encoding) => {
    expect(decodeHtml(latin1(text), 'text/html').encoding).toBe(encoding);
  });

  test('is not declared by meta in XML', () => {
    expect(decodeHtml(latin1('<meta charset="koi8-r"/>'), null, 'xml').encoding).toBe('utf-8');
  });

  test.each(['utf-16le', 'utf-16be'])('is %s if an XML declaration begins in it', (encoding) => {
    const bytes = Buffer.from('<?xml version="1.0"?>', 'utf16le');
    if (encoding === 'utf-16be') bytes.swap16();
    expect(decodeHtml(bytes, null).encoding).toBe(encoding);
  });
});

describe('a second reading', () => {
  test.each([
    ['none of plain bytes', 'plain', 'text/html; charset=utf-8', ['utf-8']],
    [
      'none where declarations disagree about nothing',
      '<meta charset=gbk>plain',
      'text/html; charset=utf-8',
      ['utf-8'],
    ],
    ['of the header and of meta', '<meta charset=gbk>\xc4\xe3', 'text/html; charset=utf-8', ['utf-8', 'gbk']],
    ['of the mark and of the header', '\xef\xbb\xbf\xe4', 'text/html; charset=koi8-r', ['utf-8', 'koi8-r']],
    ['of two meta', '<meta charset=koi8-r><meta charset=big5>\xc4\xe3', 'text/html', ['koi8-r', 'big5']],
    ['of escapes', 'a \x1b$B<!\x1b(B', 'text/html', ['windows-1252', 'iso-2022-jp']],
    ['of escapes behind a header', 'a \x1b$B<!\x1b(B', 'text/html; charset=gbk', ['gbk', 'iso-2022-jp']],
    [
      'of escapes that are declared',
      '<meta charset=iso-2022-jp>\x1b$B<!\x1b(B',
      'text/html',
      ['iso-2022-jp', 'windows-1252'],
    ],
    ['none of an escape that begins nothing', 'red: \x1b[31m', 'text/html', ['windows-1252']],
    ['none of an escape at the end', 'end \x1b', 'text/html', ['windows-1252']],
  ])('%s', (_, text, contentType, encodings) => {
    expect(readingsOf(text, contentType)).toEqual(encodings);
  });

  test('is the alternative of the document, with its own form and the budget that is left', () => {
    const bytes = latin1('<title>Notes</title><p>\x1b$B<!--\x1b(B</p><form action=/x><input type=password></form>');
    const page = readPage(bytes, { contentType: 'text/html', url: 'https://a.example/' });
    expect([page.encoding, page.forms.length, page.alternative?.encoding]).toEqual(['windows-1252', 0, 'iso-2022-jp']);
    expect(page.alternative?.forms[0]?.fields[0]?.kind).toBe('password');
    expect(page.alternative?.alternative).toBeUndefined();
  });

  test('adds its exits and its refreshes, which only some browsers follow', () => {
    const exit = '<script>location.href="https://b.example/"</script><meta http-equiv=refresh content="0;url=/next">';
    const page = readPage(latin1(`<title>N</title>\x1b$B<!--\x1b(B${exit}`), {
      contentType: null,
      url: 'https://a.example/',
    });
    expect(page.exits).toEqual([{ how: 'script', url: 'https://b.example/' }]);
    expect(page.refreshes.map(({ followed }) => followed)).toEqual([null]);
  });
});

test('random bytes with marks of encodings are decoded without an exception', () => {
  const random = createRandom(40);
  const pieces = [
    '<meta charset=',
    'iso-2022-jp>',
    '\x1b$B',
    '\x1b(B',
    '<?xml ',
    'encoding="',
    '">',
    '<!--',
    '-->',
    '<head>',
  ];
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random.below(30) }, () => pieces[random.below(pieces.length)]).join('');
    for (const syntax of ['html', 'xml'] as const) {
      const readings = decodeReadings(latin1(text), null, syntax);
      expect(readings[0]).toEqual(decodeHtml(latin1(text), null, syntax));
      expect(readings.length).toBeLessThanOrEqual(2);
    }
  }
});
