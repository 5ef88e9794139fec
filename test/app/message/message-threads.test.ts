import { expect, test } from 'bun:test';
import { createLinkStore } from '#src/app/message/link-store.ts';
import { type MailLinks, mailLinks } from '#src/app/message/mail-links.ts';
import { createMessageThreads } from '#src/app/message/open-mail-reader.ts';
import { RECEIVED } from '#src/engine/message/authentication-results.ts';
import { readInParts, readMessage } from '#src/engine/message/read-message.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const HEAD = 'From: a@corp.example\r\nContent-Type: text/plain\r\n\r\n';
const never = new AbortController().signal;
const LONG = () => 60_000;
const textOf = (found: MailLinks | 'ended' | null) =>
  found === 'ended' || found === null ? found : { ...found, links: new TextDecoder().decode(found.links) };

test('a thread finds the links of a mail, the most important first', async () => {
  await using threads = createMessageThreads(1);
  const text = `${HEAD}https://www.corp.com/a https://www.corp.com/b\r\nhttps://other.com/c\r\n`;
  expect(textOf(await threads.read(bytesOf(text), RECEIVED, LONG, never))).toMatchObject({
    message: { kind: 'mail', head: { from: [{ address: 'a@corp.example' }] } },
    links: 'chttps://www.corp.com/a\nchttps://other.com/c\nchttps://www.corp.com/b\n',
    ...{ count: 3, isMismatched: false, unread: 0, isWhole: true },
  });
  expect(await threads.read(bytesOf(HEAD), RECEIVED, LONG, AbortSignal.abort())).toBe('ended');
});

test('reading ends with what was found when its time is over', async () => {
  await using threads = createMessageThreads(1);
  const text = `${HEAD}${'https://first.example/a word\r\n'.repeat(8000)}`;
  const found = await threads.read(bytesOf(text), RECEIVED, () => 0, never);
  expect(found).toMatchObject({ isWhole: false });
});

test('pictures and attachments count as not read', async () => {
  const mail = `Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n`;
  const message = await readMessage(bytesOf(mail), 'mail.eml');
  const found = message && mailLinks(message, createLinkStore());
  expect(textOf(found)).toMatchObject({ links: '', count: 0, unread: 1, isWhole: true });
});

test('the beginning of a large message is read first, and what is in it is known if the rest takes too long', async () => {
  const line = `${'x'.repeat(74)}\r\n`;
  const bytes = bytesOf(`${HEAD}https://first.example/\r\n${line.repeat(30_000)}https://last.example/\r\n`);
  let isSpent = false;
  const seen: unknown[] = [];
  for await (const { message, isPart } of readInParts(bytes, 'mail.eml', () => isSpent, RECEIVED)) {
    seen.push([message?.links.map(({ url }) => url), message?.isWhole, isPart]);
    isSpent = seen.length === 2;
  }
  expect(seen).toEqual([
    [['https://first.example/'], false, true],
    [['https://first.example/'], false, true],
    [['https://first.example/'], false, false],
  ]);
  const all = await Array.fromAsync(readInParts(bytes, 'mail.eml', () => false, RECEIVED));
  expect(all.at(-1)?.message?.links.map(({ url }) => url)).toEqual(['https://first.example/', 'https://last.example/']);
  expect(all.at(-1)).toMatchObject({ isPart: false, message: { isWhole: true } });
});

test('the beginning of a large mail is known while others are read', async () => {
  await using threads = createMessageThreads(1);
  const large = () => bytesOf(`${HEAD}https://first.example/\r\n${`${'x'.repeat(74)}\r\n`.repeat(60_000)}`);
  const stop = new AbortController();
  const [first, small] = [
    threads.read(large(), RECEIVED, LONG, stop.signal),
    threads.read(bytesOf(`${HEAD}https://s.example/`), RECEIVED, LONG, never),
  ];
  expect(textOf(await small)).toMatchObject({ links: 'chttps://s.example/\n', isWhole: true });
  stop.abort();
  expect(textOf(await first)).toMatchObject({ links: 'chttps://first.example/\n', isWhole: false });
});
