import { expect, test } from 'bun:test';
import { createByteSink } from '#src/network/egress/budget/byte-sink.ts';
import { createRandom } from '#test/support/random.ts';

test('a byte sink stores pieces of any size up to its limit', () => {
  const random = createRandom(20_261_122);
  for (const maxBytes of [0, 1, 100, 16_384, 16_385, 100_000]) {
    const bytes = Buffer.from(random.text(maxBytes + 50, 'abcdefgh'), 'latin1').subarray(0, maxBytes + 50);
    const sink = createByteSink(maxBytes);
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + 1 + random.below(9000));
      at += piece.length;
      expect(sink.push(piece)).toBe(at <= maxBytes);
      expect(sink.length).toBe(Math.min(at, maxBytes));
    }
    expect(Buffer.from(sink.bytes()).equals(bytes.subarray(0, maxBytes))).toBe(true);
  }
});

test('a full byte sink accepts an empty piece and refuses any other', () => {
  const sink = createByteSink(2);
  expect([sink.push(Buffer.from('ab')), sink.push(Buffer.from('')), sink.push(Buffer.from('c'))]).toEqual([
    ...[true, true, false],
  ]);
});
