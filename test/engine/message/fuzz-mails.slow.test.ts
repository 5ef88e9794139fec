import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMessage } from '#src/engine/message/read-message.ts';
import { mutatedBytes } from '#test/support/mutated-bytes.ts';
import { createRandom } from '#test/support/random.ts';
import { attachment, htmlMail, LURE_HTML, LURE_URL } from './mails.ts';
import { compoundFile, packRtf, properties } from './outlook-messages.ts';
import { page, stream } from './pdfs.ts';

const FOLDER = 'test/vectors/messages';
const SAMPLES = [
  ...readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name))),
  Buffer.from(
    htmlMail(LURE_HTML, 'text', [attachment('text/html', 'a.html', new TextEncoder().encode('<script>a()</script>'))]),
  ),
  Buffer.from(
    page(stream('BT /F1 9 Tf (https://a.example/) Tj [(a) 9 (b)] TJ ET 0 0 3 3 re f'), '/Font << /F1 << >> >>'),
  ),
  Buffer.from(compoundFile(properties({ '10130102': LURE_HTML, '10090102': packRtf(`{\\rtf1\\ansi {${LURE_URL}}}`) }))),
  Buffer.from('Content-Type: text/plain; charset=utf-7\r\n\r\n+ADw-a+AD4-\r\n'),
];

const PIECES = [
  ...['\0', '\r', '\n\n', '\r\n', '= \r\n', '--', '--bb', '--real--', ';', '"', 'boundary=', 'boundary*0=x'],
  ...['Content-Type: multipart/mixed; boundary=bb\r\n', 'Content-Type: message/rfc822\r\n\r\n', 'charset=utf-16'],
  ...['Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n', '<![CDATA[', ']]>'],
  ...[
    ' obj',
    '<<',
    '>>',
    '[',
    ' R',
    'stream\n',
    'endstream',
    '/FlateDecode',
    '/W 99999 ',
    '(',
    ' Do',
    'BI ',
    ' ID ',
    '1e9 ',
  ],
  ...['<script>', '</script>', '<?xml ', '<!ENTITY a "b">', '\u00ff\u00fe', 'begin 644 a\n', '+ADw-'],
];

/** Inputs of a whole run, and the processor time after which a busy or slow host ends it, in milliseconds. */
const INPUTS = 20_000;
const MOST_CPU_MS = 30_000;

test('reads 20,000 damaged messages without an exception, and answers each alike', async () => {
  const random = createRandom(4105);
  const start = process.cpuUsage();
  let inputs = 0;
  for (; inputs < INPUTS; inputs++) {
    const bytes = mutatedBytes(random, {
      samples: SAMPLES,
      changes: 5,
      piece: (from) => Buffer.from(from.pick(PIECES), 'latin1'),
    });
    const name = random.pick(['mail.eml', '', 'a.html', 'a.svg', 'a.txt', 'a.pdf', 'a.msg']);
    const message = await readMessage(new Uint8Array(bytes), name);
    if (inputs % 100 === 0) expect(await readMessage(new Uint8Array(bytes), name)).toEqual(message);
    if (message?.links.some(({ url }) => !/^https?:/i.test(url)))
      throw new Error(`not a link: ${JSON.stringify(bytes.toString('latin1'))}`);
    if (inputs % 100 === 0) {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1000 > MOST_CPU_MS) break;
    }
  }
  expect(inputs).toBeGreaterThan(INPUTS / 20);
});
