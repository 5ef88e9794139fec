import { expect, test } from 'bun:test';
import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { createRandom } from '#test/support/random.ts';

test('bytes come out as they went in, in pieces of any size', () => {
  const { below } = createRandom(7);
  const upTo = (most: number) => below(most) + 1;
  const queue = createByteQueue();
  const sent: number[] = [];
  const read: number[] = [];
  for (let turn = 0; turn < 300; turn++) {
    const piece = Uint8Array.from({ length: upTo(turn % 20 === 0 ? 200_000 : 6000) }, () => upTo(255));
    for (const byte of piece) sent.push(byte);
    queue.push(piece);
    for (let left = upTo(6); left > 0 && queue.length > 0; left--) {
      const count = Math.min(queue.length, upTo(60_000));
      expect(queue.byteAt(count - 1)).toBe(queue.peek(count).at(-1));
      for (const byte of queue.peek(count)) read.push(byte);
      queue.skip(count);
    }
  }
  for (const byte of queue.peek()) read.push(byte);
  expect(Bun.hash(Uint8Array.from(read))).toBe(Bun.hash(Uint8Array.from(sent)));
  expect(read.length).toBe(sent.length);
});

test('the rest of a large piece does not hold its memory', () => {
  const queue = createByteQueue();
  queue.push(new Uint8Array(1024 * 1024));
  queue.skip(1024 * 1024 - 1);
  expect(queue.peek().buffer.byteLength).toBeLessThan(64 * 1024);
  expect(queue.length).toBe(1);
});
