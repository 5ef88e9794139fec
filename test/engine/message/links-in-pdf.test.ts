import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import { readPictureCodes } from '#src/app/message/read-picture-codes.ts';
import { isPdf } from '#src/engine/message/pdf/links-in-pdf.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail } from './mails.ts';
import { ascii85, link, lzw, objectStream, packed, page, pdf, stream } from './pdfs.ts';

const LURE = 'https://paypal-login.verify-account.cyou/signin';

async function read(bytes: Uint8Array<ArrayBuffer>) {
  const message = await readMessage(bytes, 'a.pdf');
  if (message === null) throw new TypeError('not a message');
  return message;
}

const urlsOf = async (bytes: Uint8Array<ArrayBuffer>) => (await read(bytes)).links.map(({ url }) => url);

test.each([
  ['a literal string', link(`(${LURE})`)],
  ['escapes and octal digits', link('(https:\\/\\/paypal-login.verify-account.cyou\\057signin)')],
  ['hexadecimal digits', link(`<${Buffer.from(LURE).toString('hex')}>`)],
  ['UTF-16', link(`<feff${Buffer.from(LURE, 'utf16le').swap16().toString('hex')}>`)],
  ['a name with escapes', link(`(${LURE})`).replace('/URI (', '/#55R#49 (')],
  ['a stream of objects', objectStream(7, [link(`(${LURE})`)])],
  [
    'names of a stream with escapes',
    objectStream(7, [link(`(${LURE})`)], '/Type /Obj#53tm').replace('/Flate', '/F#6cate'),
  ],
  ['the target of a form', `<< /S /SubmitForm /F << /FS /URL /F (${LURE}) >> >>`],
])('reads a link that is written as %s', async (_, object) => {
  expect(await urlsOf(pdf(object))).toEqual([LURE]);
});

test('keeps parentheses in balance, and completes an address without a scheme', async () => {
  expect(await urlsOf(pdf(link('(https://a.example/x_(y))'), link('(www.b.example/z)')))).toEqual([
    'https://a.example/x_(y)',
    'http://www.b.example/z',
  ]);
});

const PLAIN = '/Font << /F1 << /Type /Font /Subtype /TrueType /BaseFont /A /FirstChar 32 /Widths [250] >> >>';
const shown = (text: string) => `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
const codes = (text: string, first: number) => [...text].map((_, at) => (first + at).toString(16).padStart(4, '0'));
const MAP = (text: string) =>
  `1 begincodespacerange <0000> <ffff> endcodespacerange ${text.length} beginbfchar ${codes(text, 3)
    .map((code, at) => `<${code}> <${text.charCodeAt(at).toString(16).padStart(4, '0')}>`)
    .join('\n')} endbfchar`;
const COMPOSITE =
  '/Font << /F1 << /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /DW 500 >>] /ToUnicode 4 0 R >> >>';
const NAMED = `/Font << /F1 << /Type /Font /Subtype /Type3 /Encoding << /Differences [1 ${[...'https://evil.example/x']
  .map((one) => ({ ':': '/colon', '/': '/slash', '.': '/period' })[one] ?? `/${one}`)
  .join(' ')}] >> >> >>`;

test.each([
  ['text', page(stream(shown(`Pay at ${LURE} now`)), PLAIN), LURE],
  ['packed text', page(packed(shown(LURE)), PLAIN), LURE],
  [
    'two filters',
    page(
      stream(`<${deflateSync(Buffer.from(shown(LURE))).toString('hex')}>`, '/Filter [/ASCIIHexDecode /FlateDecode]'),
      PLAIN,
    ),
    LURE,
  ],
  ['base 85', page(stream(ascii85(shown(LURE)), '/Filter /A85'), PLAIN), LURE],
  [
    'runs',
    page(
      stream(`${String.fromCharCode(shown(LURE).length - 1)}${shown(LURE)}\u0080`, '/Filter /RunLengthDecode'),
      PLAIN,
    ),
    LURE,
  ],
  ['LZW', page(stream(lzw(shown(LURE)), '/Filter /LZWDecode'), PLAIN), LURE],
  [
    'pieces with kerning',
    page(stream(`BT /F1 9 Tf [(https://paypal-) 20 (login.verify-acc) -15 (ount.cyou/signin)] TJ ET`), PLAIN),
    LURE,
  ],
  [
    'letters with a place each',
    page(stream(`BT /F1 10 Tf ${[...LURE].map((one) => `(${one}) Tj`).join(' ')} ET`), PLAIN),
    LURE,
  ],
  [
    'words apart without a space',
    page(stream(`BT /F1 10 Tf (Pay) Tj 40 0 Td (${LURE}) Tj 400 0 Td (now) Tj ET`), PLAIN),
    LURE,
  ],
  ['turned text', page(stream(`BT /F1 10 Tf 0 1 -1 0 50 50 Tm (Pay ${LURE}) Tj ET`), PLAIN), LURE],
  [
    'two parts',
    pdf(
      `<< /Type /Page /Contents [2 0 R 3 0 R] /Resources << ${PLAIN} >> >>`,
      stream('BT /F1 9 Tf'),
      stream(`(${LURE}) Tj ET`),
    ),
    LURE,
  ],
  [
    'inherited fonts',
    pdf(
      '<< /Type /Page /Parent 3 0 R /Contents 2 0 R >>',
      stream(shown(LURE)),
      `<< /Type /Pages /Resources << ${PLAIN} >> >>`,
    ),
    LURE,
  ],
  [
    'a form within the page',
    page(stream('/X1 Do'), '/XObject << /X1 4 0 R >>', [
      packed(shown(LURE), `/Subtype /Form /Resources << ${PLAIN} >>`),
    ]),
    LURE,
  ],
  [
    'codes of glyphs',
    page(stream(`BT /F1 9 Tf <${codes(LURE, 3).join('')}> Tj ET`), COMPOSITE, [packed(MAP(LURE))]),
    LURE,
  ],
  [
    'names of glyphs',
    page(
      stream(
        `BT /F1 9 Tf <${codes('https://evil.example/x', 1)
          .map((one) => one.slice(2))
          .join('')}> Tj ET`,
      ),
      NAMED,
    ),
    'https://evil.example/x',
  ],
  [
    'what an annotation shows',
    page(stream(''), '/A 1', [
      `<< /Type /Page /Annots [<< /Subtype /FreeText /AP << /N 5 0 R >> >>] >>`,
      packed(shown(LURE), `/Subtype /Form /Resources << ${PLAIN} >>`),
    ]),
    LURE,
  ],
])('reads an address in %s', async (_, document, url) => {
  expect(await urlsOf(document)).toEqual([url]);
});

test('compares the words in the place of a link with its target', async () => {
  const annotation = `<< /Rect [70 695 250 715] /A << /URI (${LURE}) >> >>`;
  const content = 'BT /F1 12 Tf 72 700 Td (www.paypal.com) Tj ET';
  const document = pdf(
    `<< /Type /Page /Contents 2 0 R /Resources << ${PLAIN} >> /Annots [${annotation}] >>`,
    stream(content),
  );
  expect((await read(document)).links).toMatchObject([
    { url: LURE, words: 'www.paypal.com', mismatch: { says: 'www.paypal.com' } },
  ]);
});

const MODULES = encodeQR(LURE, 'raw');
const dark = MODULES.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])));
const rows = dark.map(([x, y]) => `${72 + 3 * x} ${700 - 3 * y}`);
const side = MODULES.length;
const grey = MODULES.flatMap((row) => row.flatMap((isDark) => (isDark ? 0 : 255)));
const bits = MODULES.map((row) =>
  row
    .map((isDark) => (isDark ? 0 : 1))
    .join('')
    .padEnd(Math.ceil(side / 8) * 8, '1'),
)
  .join('')
  .match(/.{8}/g)
  ?.map((byte) => String.fromCharCode(Number.parseInt(byte, 2)))
  .join('');
const latin1 = (values: readonly number[]) => values.map((value) => String.fromCharCode(value)).join('');
const sized = (of: number, colour: string) =>
  `/Type /XObject /Subtype /Image /Width ${of} /Height ${of} /ColorSpace ${colour}`;
/** Four pixels for a module, since readers need more than one. */
const large = (values: readonly number[], colours: number) =>
  Array.from({ length: 4 * side }, (_, y) =>
    Array.from({ length: 4 * side }, (__, x) => Array<number>(colours).fill(values[(y >> 2) * side + (x >> 2)] ?? 0)),
  );
const [ofGrey, ofRed] = [large(grey, 1), large(grey, 3)];

test.each([
  ['squares', page(stream(rows.map((at) => `${at} 3 3 re f`).join('\n')), '/A 1')],
  ['one path', page(stream(`${rows.map((at) => `${at} 3 3 re`).join('\n')} f`), '/A 1')],
  [
    'light squares on a dark ground',
    page(
      stream(
        `0 0 600 800 re f 1 g ${MODULES.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [] : `${72 + 3 * x} ${700 - 3 * y} 3 3 re f`))).join('\n')} 60 705 120 12 re f 60 ${703 - 3 * side - 12} 120 12 re f 57 ${703 - 3 * side - 12} 15 125 re f ${72 + 3 * side} ${703 - 3 * side - 12} 15 125 re f`,
      ),
      '/A 1',
    ),
  ],
  [
    'lines',
    page(
      stream(`3 w ${rows.map((at) => `${at} m ${at.replace(/^\d+/, (x) => `${Number(x) + 3}`)} l`).join('\n')} S`),
      '/A 1',
    ),
  ],
  [
    'a grey picture',
    page(stream('/I Do'), '/XObject << /I 4 0 R >>', [packed(latin1(ofGrey.flat(2)), sized(4 * side, '/DeviceGray'))]),
  ],
  [
    'a picture in colours',
    page(stream('/I Do'), '/XObject << /I 4 0 R >>', [
      packed(latin1(ofRed.flat(2)), sized(4 * side, '[/ICCBased 5 0 R]')),
      '<< /N 3 >>',
    ]),
  ],
  [
    'a picture with predicted rows',
    page(stream('/I Do'), '/XObject << /I 4 0 R >>', [
      packed(
        ofGrey.map((row) => `\u0000${latin1(row.flat())}`).join(''),
        `${sized(4 * side, '/DeviceGray')} /DecodeParms << /Predictor 15 /Columns ${4 * side} >>`,
      ),
    ]),
  ],
  [
    'a picture with a palette',
    page(stream('/I Do'), '/XObject << /I 4 0 R >>', [
      packed(
        latin1(ofGrey.flat(2).map((one) => (one === 0 ? 1 : 0))),
        sized(4 * side, '[/Indexed /DeviceRGB 1 <ffffff000000>]'),
      ),
    ]),
  ],
  ['a picture within the content', page(stream(`q BI /W ${side} /H ${side} /BPC 1 /CS /G ID ${bits} EI Q`), '/A 1')],
])('reads a code of %s', async (_, document) => {
  const { links, pictures } = await readPictureCodes(await read(document), () => false, 'drawn');
  expect([links.map(({ url, file }) => [url, file]), pictures]).toEqual([[[LURE, 'a.pdf']], []]);
});

test('a script is a target that is no web address, and a photograph is a picture', async () => {
  const photograph = stream('\u00ff\u00d8\u00ffx', '/Subtype /Image /Width 99 /Height 99 /Filter /DCTDecode');
  const { nonWeb, pictures } = await read(pdf(link('(javascript:x())'), photograph));
  expect(nonWeb).toMatchObject([{ kind: 'script' }]);
  expect(pictures.map(({ contentType, bytes }) => [contentType, bytes[0]])).toEqual([['image/jpeg', 0xff]]);
});

const UNKNOWN = COMPOSITE.replace(/ \/ToUnicode 4 0 R/, '');
test.each([
  ['encrypted', pdf(link(`(${LURE})`), '<< /Encrypt 5 0 R >>')],
  ['without a page', pdf(link('(https://a.example/)'))],
  ['with glyphs of unknown characters', page(stream('BT /F1 9 Tf <00030004> Tj ET'), UNKNOWN)],
  [
    'with a picture of another format',
    page(stream(''), '/A 1', [stream('x', `${sized(99, '/DeviceGray')} /Filter /JBIG2Decode`)]),
  ],
  ['with a content of another format', page(stream('x', '/Filter /Crypt'), '/A 1')],
  ['with more than is unpacked', page(packed(' '.repeat(5_000_000)), '/A 1')],
])('a document %s is named as not examined', async (_, document) => {
  expect((await read(document)).unread).toEqual(['a.pdf']);
});

test('hostile documents end at the limits', async () => {
  const bomb = objectStream(9, ['('.repeat(5_000_000)]);
  expect(await urlsOf(pdf(bomb, bomb))).toEqual([]);
  const loop = page(stream('/X Do /X Do'), '/XObject << /X 4 0 R >>', [
    stream('/X Do /X Do', '/Subtype /Form /Resources << /XObject << /X 4 0 R >> >>'),
  ]);
  expect(await urlsOf(loop)).toEqual([]);
  expect(await urlsOf(pdf('['.repeat(200_000)))).toEqual([]);
  expect(await urlsOf(pdf('<< /Parent 1 0 R /Type /Page >>'))).toEqual([]);
  expect(await urlsOf(page(stream(`${'9e5 0 0 9e5 0 0 cm '.repeat(50)}${'0 0 9 9 re '.repeat(99)}f`), '/A 1'))).toEqual(
    [],
  );
  expect(await urlsOf(new Uint8Array(Buffer.from(`%PDF-1.7 ${'1 0 obj ('.repeat(50_000)}`)))).toEqual([]);
  expect(await urlsOf(new Uint8Array(Buffer.from(`%PDF-1.7 ${'1 0 obj <<>> stream\n'.repeat(50_000)}`)))).toEqual([]);
});

test('a document in a mail is read as by itself, and its name stands with its links', async () => {
  const bytes = page(stream(shown(LURE)), PLAIN);
  expect(isPdf(bytes)).toBe(true);
  const mail = htmlMail('<p>x</p>', 'x', [attachment('application/pdf', 'terms.pdf', bytes)]);
  const message = await readMessage(new TextEncoder().encode(mail));
  expect(message?.links).toMatchObject([{ url: LURE, file: 'terms.pdf' }]);
  expect(message?.unread).toEqual([]);
});
