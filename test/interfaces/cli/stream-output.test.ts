import { expect, test } from 'bun:test';
import { Writable } from 'node:stream';
import { outputTo } from '#src/interfaces/cli/process-io.ts';

/** A reader that takes one text at a time, when it is told to. */
function slowReader() {
  const taken: string[] = [];
  let take: ((error?: Error) => void) | null = null;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      take = (error) => {
        if (!error) taken.push(String(chunk));
        done(error);
      };
    },
  });
  return { stream, taken, take: (error?: Error) => take?.(error) };
}

/** Which of two comes first; `null` where the promise stays open as long as whatever is ready to run takes. */
async function within<T>(promise: Promise<T>): Promise<T | null> {
  for (let turn = 0; turn < 20; turn++) {
    const turnEnds = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
    const first = await Promise.race([promise.then((value) => ({ value })), turnEnds]);
    if (first) return first.value;
  }
  return null;
}

test('an output that repeatedly waits for its reader adds no listeners', async () => {
  const reader = slowReader();
  const output = outputTo(reader.stream, () => 'end');
  for (let i = 0; i < 50; i++) {
    const written = output.write(`${i}\n`);
    reader.take();
    await written;
  }
  expect(reader.taken).toHaveLength(50);
  expect(reader.stream.listenerCount('error')).toBe(1);
  expect(reader.stream.listenerCount('drain')).toBe(0);
});

test('a writer that ignores failures continues, and another one waits for the end of the process', async () => {
  for (const then of ['go on', 'end'] as const) {
    const reader = slowReader();
    const heard: unknown[] = [];
    const output = outputTo(reader.stream, (error) => {
      heard.push(error);
      return then;
    });
    const written = output.write('first').then(() => 'went on');
    const failure = new Error('ENOSPC');
    reader.take(failure);
    expect(await within(written)).toBe(then === 'go on' ? 'went on' : null);
    expect(heard).toEqual([failure]);
  }
});

test('a halted output finishes the current write, and no later one', async () => {
  const reader = slowReader();
  const output = outputTo(reader.stream, () => 'end');
  const first = output.write('first').then(() => 'written');
  const halted = output.halt().then(() => 'halted');
  const second = output.write('second').then(() => 'written');
  expect(await within(halted)).toBe(null);
  reader.take();
  expect(await within(halted)).toBe('halted');
  expect(await within(first)).toBe('written');
  expect(await within(second)).toBe(null);
  expect(reader.taken).toEqual(['first']);
});

test('repeated writes let other tasks run, even if the reader accepts everything immediately', async () => {
  const output = outputTo(new Writable({ write: (_chunk, _encoding, done) => done() }), () => 'end');
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  while (turns < 3) await output.write('x');
  clearInterval(counting);
});
