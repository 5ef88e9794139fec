import { expect, test } from 'bun:test';
import { Writable } from 'node:stream';
import { outputTo } from '#src/cli/process-io.ts';

/** A reader that takes one text at a time, when it is told to. */
function slowReader() {
  const taken: string[] = [];
  let take: (() => void) | null = null;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      take = () => {
        taken.push(String(chunk));
        done();
      };
    },
  });
  return { stream, taken, take: () => take?.() };
}

test('an output that waits for its reader over and over waits with the same two ears', async () => {
  const reader = slowReader();
  const output = outputTo(reader.stream);
  for (let i = 0; i < 50; i++) {
    const written = output.write(`${i}\n`);
    reader.take();
    await written;
  }
  expect(reader.taken).toHaveLength(50);
  expect(reader.stream.listenerCount('error')).toBe(1);
  expect(reader.stream.listenerCount('drain')).toBe(1);
});

test('a reader that goes away lets go of whoever waits for it, and of what comes later', async () => {
  const reader = slowReader();
  const output = outputTo(reader.stream);
  const written = output.write('first');
  reader.stream.destroy(new Error('EPIPE'));
  await written;
  await output.write('second');
  expect(reader.taken).toEqual([]);
});
