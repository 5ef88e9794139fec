import { expect, test } from 'bun:test';
import { type Line, readLines } from '#src/core/base/files/line-reader.ts';
import { createRandom } from '#test/support/random.ts';

const random = createRandom(5);

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + random.below(7);
    yield bytes.subarray(from, to);
    from = to;
  }
}

async function linesOf(text: string, maxLineBytes = 1000): Promise<Line[]> {
  return (await Array.fromAsync(readLines(inChunks(new TextEncoder().encode(text)), maxLineBytes))).flat();
}

test('lines are the same for any chunks, including chunks that split a character', async () => {
  for (let i = 0; i < 300; i++) {
    const lines = Array.from({ length: random.below(6) }, () => random.text(9, 'aü€😀 '));
    const text = lines.map((line) => line + random.pick(['\n', '\r\n'])).join('');
    expect((await linesOf(text)).map((line) => line.text)).toEqual(lines);
  }
});

test('the last line needs no newline, and lines count from 1', async () => {
  expect(await linesOf('a\n\nb')).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: '' },
    { number: 3, text: 'b' },
  ]);
  expect(await linesOf('')).toEqual([]);
});

test('a line that is too long is null, and the next line is complete', async () => {
  expect((await linesOf(`${'x'.repeat(50)}\nok\n${'y'.repeat(10)}`, 10)).map(({ text }) => text)).toEqual([
    null,
    'ok',
    'y'.repeat(10),
  ]);
});

test('lines are the same if a stream reuses one buffer for all its chunks', async () => {
  const text = Array.from({ length: 400 }, (_, n) => `line ${n} of some length\n`).join('');
  async function* inOnePlace() {
    const place = Buffer.alloc(1024);
    for (let from = 0; from < text.length; from += 1024) {
      const length = place.write(text.slice(from, from + 1024));
      yield place.subarray(0, length);
    }
  }
  const lines = (await Array.fromAsync(readLines(inOnePlace(), 1000))).flat();
  expect(lines.map((line) => `${line.text}\n`).join('')).toBe(text);
});
