import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { headersOf, mailOf, startMilterService } from '#test/support/milter-service.ts';
import { type Postfix, startPostfix } from '#test/support/postfix.ts';
import { sendMail } from '#test/support/smtp.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

/** The example of the manual, with another port. */
function configFor(port: number): string {
  const [code] = codeIn('drop-in', WRITTEN.get('drop-in') ?? '').filter(({ language }) => language === 'postfix');
  return withPlaces(code?.text ?? '', { '127.0.0.1:8891': `127.0.0.1:${port}` });
}

const EVIL = '<a href="http://user:hunter2@evil.example/kit?token=zq81">bank.example</a>';
const FINE = '<a href="https://fine.example/">here</a>';

async function deliveredBy(postfix: Postfix, count = 1): Promise<string[]> {
  await untilSeen(`${count} mails delivered`, async () => postfix.delivered().length >= count);
  return postfix.delivered();
}

test('marks a mail with a blocked link, removes forged headers, and keeps every byte of the body', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { service, port } = await startMilterService(dataDir, ['--log-level', 'debug']);
  await using _ = service;
  await using postfix = await startPostfix(configFor(port));
  const body = `${EVIL}  \r\n\r\ntrailing \t\r\n${'=C3=BC'.repeat(20)}\r\n\r\n`;
  const forged = ['X-Lurecheck: allow', 'x-LURECHECK: allow; links=0', 'X-Lurecheck-Flag: NO', 'X-Other: stays'];
  const mail = mailOf(body, forged);
  expect(await sendMail(postfix.port, mail)).toStartWith('250');
  const [marked = ''] = await deliveredBy(postfix);
  const [mark, ...others] = headersOf(marked, 'X-Lurecheck');
  expect(mark).toMatch(
    /^block; links=1; blocked=1; probability=\d\.\d{4}; mismatch=1; model=\S+; why=lists\.kept_blocked(?:,[\w.]+)*; reasons=links\.listed(?:,[\w.]+)*$/,
  );
  expect(others).toEqual([]);
  expect(headersOf(marked, 'X-Lurecheck-Flag')).toEqual(['YES']);
  expect(headersOf(marked, 'X-Other')).toEqual(['stays']);
  // Simple canonicalization of DKIM, and the signed headers (RFC 6376): nothing changes.
  const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64');
  const bodyOf = (text: string) => text.replaceAll('\r\n', '\n').split('\n\n').slice(1).join('\n\n').trimEnd();
  expect(hashOf(bodyOf(marked))).toBe(hashOf(bodyOf(mail)));
  for (const name of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'Content-Type'])
    expect(headersOf(marked, name)).toEqual(headersOf(mail, name));

  // The record has the number of the mail; nothing has its people and words, and no output the URL.
  const queueId = /cleanup\[\d+\]: (\w+): message-id/.exec(postfix.log())?.[1] ?? '';
  const { stdout } = await lurecheck(['log', '--private', '--format', 'ndjson', '--data-dir', dataDir]);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map(({ analysis_details: { gate } }) => gate)).toEqual([
    { way: 'milter', rule: 'list-blocks', held: false, queue_id: queueId },
  ]);
  expect((await service.history()).items).toEqual([]);
  const { stdout: said, stderr } = service.output;
  for (const secret of ['hunter2', 'zq81', 'evil.example', 'anna', 'it@bank', 'Hello'])
    expect(said + stderr).not.toContain(secret);
  await service.stop();
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dataDir, name);
    if (!existsSync(file) || !statSync(file).isFile()) continue;
    const text = readFileSync(file, 'latin1');
    // Private records keep the query of a URL, but no password.
    expect(['hunter2', 'anna@office', 'it@bank'].filter((secret) => text.includes(secret))).toEqual([]);
  }
});

test('marks every other mail with its findings, many mails at once, and one that arrives byte by byte', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'));
  await using _ = service;
  await using postfix = await startPostfix(configFor(port));
  const together = Array.from({ length: 20 }, (_, at) => sendMail(postfix.port, mailOf(at % 2 ? EVIL : FINE)));
  for (const reply of await Promise.all(together)) expect(reply).toStartWith('250');
  expect(await sendMail(postfix.port, mailOf('No link.'), { pieceBytes: 1 })).toStartWith('250');
  const marks = (await deliveredBy(postfix, 21)).map((mail) =>
    headersOf(mail, 'X-Lurecheck')[0]?.split('; ', 2).join('; '),
  );
  expect(marks.toSorted()).toEqual([
    'allow; links=0',
    ...Array(10).fill('allow; links=1'),
    ...Array(10).fill('block; links=1'),
  ]);
});

test('a listed link is found behind decoys, zero bytes and thousands of headers', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'), ['--network', 'none']);
  await using _ = service;
  await using postfix = await startPostfix(configFor(port));
  const decoys = Array.from({ length: 5000 }, (_, at) => `<a href="https://example.org/a${at}">${at}</a>\r\n`);
  const sites = Array.from({ length: 300 }, (_, at) => `<a href="https://decoy${at}.com/">${at}</a>\r\n`);
  const headers = Array.from({ length: 5000 }, (_, at) => `a${at}: b`);
  const mails = [
    mailOf([...decoys, EVIL].join('')),
    mailOf([...sites, EVIL].join('')),
    mailOf(`hello \0 world ${EVIL}\0`),
    mailOf(EVIL, headers),
  ];
  for (const mail of mails) expect(await sendMail(postfix.port, mail)).toStartWith('250');
  const delivered = await deliveredBy(postfix, mails.length);
  expect(delivered.map((mail) => headersOf(mail, 'X-Lurecheck')[0]?.split(';', 1)[0])).toEqual(
    mails.map(() => 'block'),
  );
  expect(delivered.map((mail) => headersOf(mail, 'X-Lurecheck-Flag'))).toEqual(mails.map(() => ['YES']));
});

test('a mail of 25 MB and one with 1,000 links pass, and are marked as not read to the end', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'), ['--network', 'none']);
  await using _ = service;
  await using postfix = await startPostfix(configFor(port));
  const line = `${'x'.repeat(74)}\r\n`;
  expect(await sendMail(postfix.port, mailOf(`${EVIL}\r\n${line.repeat(345_000)}`))).toStartWith('250');
  const links = Array.from({ length: 1000 }, (_, at) => `<a href="https://site${at}.com/">${at}</a>\r\n`);
  expect(await sendMail(postfix.port, mailOf(links.join('')))).toStartWith('250');
  const mails = (await deliveredBy(postfix, 2)).toSorted((a, b) => b.length - a.length);
  expect(mails[0]?.length).toBeGreaterThan(25_000_000);
  expect(headersOf(mails[0] ?? '', 'X-Lurecheck')[0]).toMatch(/^block; links=1; .*; incomplete; /);
  expect(headersOf(mails[1] ?? '', 'X-Lurecheck')[0]).toMatch(/^(?:unknown|warn|block); links=1000; .*; incomplete; /);
});

test.each(['quarantine', 'reject'] as const)(
  '%ss a mail with a blocked link, and delivers other mails',
  async (action) => {
    await using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const { service, port } = await startMilterService(dataDir, ['--milter-on-block', action]);
    await using _ = service;
    await using postfix = await startPostfix(configFor(port));
    const reply = await sendMail(postfix.port, mailOf(EVIL));
    expect(reply).toStartWith(action === 'reject' ? '550 5.7.1 This message is blocked as phishing' : '250');
    expect(await sendMail(postfix.port, mailOf(FINE))).toStartWith('250');
    expect((await deliveredBy(postfix)).map((mail) => headersOf(mail, 'X-Lurecheck-Flag'))).toEqual([[]]);
    expect(postfix.held()).toBe(action === 'quarantine' ? 1 : 0);
  },
);

test('mails are delivered if the service is stopped or hangs', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'));
  await using postfix = await startPostfix(configFor(port));
  await service.stop();
  expect(await sendMail(postfix.port, mailOf(EVIL))).toStartWith('250');
  expect((await deliveredBy(postfix)).map((mail) => headersOf(mail, 'X-Lurecheck'))).toEqual([[]]);

  // A program that accepts connections and never answers.
  const hung = createServer(() => {});
  const hungPort = await freePort();
  await new Promise<void>((resolve) => hung.listen(hungPort, '127.0.0.1', resolve));
  await using patient = await startPostfix(configFor(hungPort));
  expect(await sendMail(patient.port, mailOf(EVIL))).toStartWith('250');
  hung.close();
});
