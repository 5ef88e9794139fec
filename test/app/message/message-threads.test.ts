import { expect, test } from 'bun:test';
import { eachUrl, mailLinks } from '#src/app/message/mail-links.ts';
import { createMessageThreads } from '#src/app/message/message-threads.ts';
import { readInParts } from '#src/engine/message/read-in-parts.ts';
import { readMessage } from '#src/engine/message/read-message.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const HEAD = 'From: a@corp.example\r\nContent-Type: text/plain\r\n\r\n';
const never = new AbortController().signal;

test('a thread finds the links of a mail, the most important first', async () => {
  await using threads = createMessageThreads(1);
  const text = `${HEAD}https://www.corp.example/a https://corp.example/b\r\nhttps://other.example/c\r\n`;
  const found = await threads.read(bytesOf(text), never);
  expect(found).toEqual({
    urls: 'https://other.example/c\nhttps://www.corp.example/a\nhttps://corp.example/b',
    ...{ count: 3, isMismatched: false, unread: 0, isWhole: true },
  });
  expect([...eachUrl(found === 'ended' ? { urls: '' } : found)]).toHaveLength(3);
  expect(await threads.read(bytesOf(HEAD), AbortSignal.abort())).toBe('ended');
});

test('pictures and attachments count as not read', async () => {
  const mail = `Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n`;
  const message = await readMessage(bytesOf(mail), 'mail.eml');
  expect(message && mailLinks(message)).toMatchObject({ urls: '', count: 0, unread: 1, isWhole: true });
});

test('the beginning of a large message is read first, and what is in it is known if the rest takes too long', async () => {
  const line = `${'x'.repeat(74)}\r\n`;
  const bytes = bytesOf(`${HEAD}https://first.example/\r\n${line.repeat(30_000)}https://last.example/\r\n`);
  let isSpent = false;
  const seen: unknown[] = [];
  for await (const { message, isPart } of readInParts(bytes, 'mail.eml', () => isSpent)) {
    seen.push([message?.links.map(({ url }) => url), message?.isWhole, isPart]);
    isSpent = seen.length === 2;
  }
  expect(seen).toEqual([
    [['https://first.example/'], false, true],
    [['https://first.example/'], false, true],
    [['https://first.example/'], false, false],
  ]);
  const all = await Array.fromAsync(readInParts(bytes, 'mail.eml', () => false));
  expect(all.at(-1)?.message?.links.map(({ url }) => url)).toEqual(['https://first.example/', 'https://last.example/']);
  expect(all.at(-1)).toMatchObject({ isPart: false, message: { isWhole: true } });
});

test('the beginning of a large mail is known while others are read', async () => {
  await using threads = createMessageThreads(1);
  const large = () => bytesOf(`${HEAD}https://first.example/\r\n${`${'x'.repeat(74)}\r\n`.repeat(60_000)}`);
  const stop = new AbortController();
  const [first, small] = [
    threads.read(large(), stop.signal),
    threads.read(bytesOf(`${HEAD}https://s.example/`), never),
  ];
  expect(await small).toMatchObject({ urls: 'https://s.example/', isWhole: true });
  stop.abort();
  expect(await first).toMatchObject({ urls: 'https://first.example/', isWhole: false });
});
