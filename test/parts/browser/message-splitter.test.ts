import { expect, test } from 'bun:test';
import { splitMessages } from '#src/parts/browser/cdp/pipe-transport.ts';

function collect(maxBytes: number) {
  const messages: string[] = [];
  const heads: string[] = [];
  const take = splitMessages(maxBytes, {
    message: (text) => messages.push(text),
    tooLong: (head) => heads.push(head),
  });
  return { messages, heads, take };
}

test('passes on each message, however the stream is cut', () => {
  const text = '{"id":1}\0{"text":"é€"}\0\0{"id":2}\0{"unfinished"';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const { messages, heads, take } = collect(100);
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(messages).toEqual(['{"id":1}', '{"text":"é€"}', '', '{"id":2}']);
    expect(heads).toEqual([]);
  }
});

test('drops a message that is too long, reports its head once, and goes on behind it', () => {
  const { messages, heads, take } = collect(10);
  for (const part of ['{"id":7,"x', '":"long"', 'and longer"}\0{"id":8}\0']) take(Buffer.from(part));
  expect(messages).toEqual(['{"id":8}']);
  expect(heads).toEqual(['{"id":7,"x":"long"']);
});
