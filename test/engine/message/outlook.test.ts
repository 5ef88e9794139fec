import { expect, test } from 'bun:test';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, htmlMail, LURE_HTML, LURE_URL } from './mails.ts';
import { compoundFile, type Folder, packRtf, properties } from './outlook-messages.ts';

const HEADERS = 'From: "PayPal" <service@paypa1.example>\r\nReply-To: other@elsewhere.example\r\nMIME-Version: 1.0\r\n';
const message = (of: Readonly<Record<string, string | Uint8Array>>, further: Folder = {}) =>
  compoundFile({ ...properties(of), ...further });
const file = (of: Readonly<Record<string, string | Uint8Array>>) => properties(of, 8);

async function read(bytes: Uint8Array<ArrayBuffer>, name = 'a.msg') {
  const found = await readMessage(bytes, name);
  if (found === null) throw new TypeError('not a message');
  return found;
}

const HTML_IN_RTF = `{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0 Arial;}}{\\*\\htmltag64 <a href="${LURE_URL}">}\\htmlrtf {\\htmlrtf0 https://www.paypal.com/signin\\htmlrtf }\\htmlrtf0 {\\*\\htmltag72 </a>}}`;
const FIELD = `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\pard Please {\\field{\\*\\fldinst{HYPERLINK "${LURE_URL}"}}{\\fldrslt{https://www.paypal.com/signin}}} now\\par}`;

test.each([
  ['HTML as bytes', { '10130102': LURE_HTML }],
  ['HTML as text', { '1013001F': LURE_HTML }],
  ['HTML within packed RTF', { '10090102': packRtf(HTML_IN_RTF) }],
  ['a field of packed RTF', { '10090102': packRtf(FIELD) }],
  ['a long body in sectors of the file', { '10130102': `${LURE_HTML}<p>${'long '.repeat(3000)}` }],
])('reads a link that is in %s', async (_, body) => {
  const found = await read(message({ ...body, '0037001F': 'Your account', '007D001F': HEADERS }));
  expect(found.links).toMatchObject([{ url: LURE_URL, mismatch: { says: 'www.paypal.com' } }]);
  expect([found.kind, found.isWhole, found.unread]).toEqual(['mail', true, []]);
  expect(found.head).toMatchObject({
    subject: 'Your account',
    from: [{ name: 'PayPal', address: 'service@paypa1.example' }],
    replyToIs: 'other_site',
  });
});

test('reads text, in a code page too, and the sender without a header', async () => {
  const table = Buffer.alloc(48);
  table.writeUInt32LE(0x3ffd0003, 32);
  table.writeUInt32LE(1251, 40);
  const cyrillic = Uint8Array.from([0xcf, 0xf0, 0xe8]);
  const found = await read(
    compoundFile({
      ...properties({
        '1000001E': `see ${LURE_URL} now`,
        '0037001E': cyrillic,
        '0C1F001E': 'EX:/o=org',
        '5D01001F': 'a@b.example',
        '0C1A001F': 'Mara "M"',
      }),
      '__properties_version1.0': table,
    }),
  );
  expect(found.links.map(({ url }) => url)).toEqual([LURE_URL]);
  expect(found.head).toMatchObject({ subject: 'При', from: [{ name: 'Mara M', address: 'a@b.example' }] });
});

test('shows both senders if the header names another one', async () => {
  const found = await read(message({ '007D001F': HEADERS, '0065001F': 'boss@bank.example', '0042001F': 'Boss' }));
  expect(found.head?.from.map(({ address }) => address)).toEqual(['service@paypa1.example', 'boss@bank.example']);
});

test('reads attachments as those of a mail, messages within messages, and files elsewhere', async () => {
  const inner: Folder = { ...properties({ '10130102': '<a href="https://inner.example/">x</a>' }, 24) };
  const page = '<form action="https://form.example/"><input type=password></form>';
  const png = Uint8Array.from([...Buffer.from('89504e470d0a1a0a', 'hex'), 0, 0]);
  const found = await read(
    message(
      { '1000001F': 'hello' },
      {
        '__attach_version1.0_#00000000': file({ '3707001F': 'bill.html', '37010102': page }),
        '__attach_version1.0_#00000001': file({ '3704001F': 'a.iso', '37010102': Uint8Array.from([0, 1]) }),
        '__attach_version1.0_#00000002': { ...file({ '3001001F': 'Inner' }), '__substg1.0_3701000D': inner },
        '__attach_version1.0_#00000003': file({ '370D001F': 'https://cloud.example/share/1' }),
        '__attach_version1.0_#00000004': file({ '3707001F': 'code.png', '37010102': png }),
      },
    ),
  );
  expect(found.links.map(({ url, file: of }) => [url, of])).toEqual([
    ['https://cloud.example/share/1', undefined],
    ['https://form.example/', 'bill.html'],
    ['https://inner.example/', 'Inner'],
  ]);
  expect(found.attachments.map(({ name, risk }) => [name, risk])).toEqual([
    ['bill.html', 'page'],
    ['a.iso', 'disk'],
    ['code.png', null],
  ]);
  expect([found.unread, found.pictures.map(({ name }) => name)]).toEqual([['a.iso'], ['code.png']]);
});

test('a message that is attached to a mail is read, whatever it is called', async () => {
  const bytes = message({ '10130102': LURE_HTML });
  const mail = htmlMail('<p>x</p>', 'x', [attachment('application/vnd.ms-outlook', 'Forwarded.msg', bytes)]);
  const found = await readMessage(new TextEncoder().encode(mail), 'mail.eml');
  expect(found?.links).toMatchObject([{ url: LURE_URL, file: 'Forwarded.msg' }]);
  expect((await read(bytes, '')).links.length).toBe(1);
});

test('another compound file is no message', async () => {
  expect(await readMessage(compoundFile({ WordDocument: new Uint8Array(9) }), 'a.doc')).toBeNull();
});

test('hostile files end at the limits', async () => {
  const bytes = message({ '10130102': `${LURE_HTML}${'x'.repeat(9000)}` });
  const circle = bytes.slice();
  // Each sector of the table follows itself.
  const view = new DataView(circle.buffer);
  const table = (view.getUint32(76, true) + 1) * 512;
  for (let at = 0; at < 100; at++) view.setUint32(table + 4 * at, at, true);
  expect((await read(circle)).isWhole).toBe(false);
  expect((await read(bytes.slice(0, 7000))).isWhole).toBe(false);
  const deep = Array.from({ length: 40 }).reduce<Folder>((folder) => ({ a: folder }), {});
  expect((await read(compoundFile({ ...properties({}), ...deep }))).isWhole).toBe(false);
  const packed = packRtf(`{\\rtf1\\ansi ${'{'.repeat(3000)}`);
  new DataView(packed.buffer, packed.byteOffset).setUint32(4, 0xffffffff, true);
  expect((await read(message({ '10090102': packed }))).links).toEqual([]);
});
