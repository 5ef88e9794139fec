import { expect, test } from 'bun:test';
import { createThreadPool } from '#src/core/base/threads/thread-pool.ts';

const ENDED = new Error('ended');

/** A pool whose threads echo, with the tasks in the order in which they began, and the number of threads started. */
function openPool(threads: number) {
  const begun: string[] = [];
  const released: string[] = [];
  let started = 0;
  const startThread = () => {
    started++;
    return { worker: new Worker(new URL('./sample-worker.ts', import.meta.url)) };
  };
  const pool = createThreadPool(threads, startThread, (message) => new Error(`the thread failed: ${message}`));
  return {
    ...{ begun, released, started: () => started },
    run: (text: string, isUrgent = false) =>
      pool.run({
        isUrgent,
        begin({ worker }) {
          begun.push(text);
          worker.postMessage(text);
          return () => released.push(text);
        },
      }),
    close: () => pool.close(ENDED),
    [Symbol.asyncDispose]: () => pool.close(ENDED),
  };
}

test('one thread does all tasks one after the other, urgent ones before those that wait', async () => {
  await using pool = openPool(1);
  const runs = [pool.run('a'), pool.run('b'), pool.run('c'), pool.run('first', true), pool.run('second', true)];
  expect(await Promise.all(runs.map(({ answer }) => answer))).toEqual(['a', 'b', 'c', 'first', 'second']);
  expect(pool.begun).toEqual(['a', 'first', 'second', 'b', 'c']);
  expect([pool.released, pool.started()]).toEqual([pool.begun, 1]);
});

test('tasks that are done soon share a thread', async () => {
  await using pool = openPool(2);
  const runs = Array.from({ length: 20 }, (_, at) => pool.run(String(at)));
  await Promise.all(runs.map(({ answer }) => answer));
  expect(pool.started()).toBe(1);
});

test('a further thread is started while the others are busy for long, up to the maximum', async () => {
  await using pool = openPool(2);
  const hanging = pool.run('hang');
  expect(await pool.run('a').answer).toBe('a');
  expect(pool.started()).toBe(2);
  // Both threads hang, and no task waits for a third.
  const [second, last] = [pool.run('hang'), pool.run('last')];
  hanging.end(ENDED);
  expect(await hanging.answer.catch((error) => error)).toBe(ENDED);
  expect(await last.answer).toBe('last');
  expect([pool.started(), second.isWaiting()]).toEqual([3, false]);
  second.end(ENDED);
  expect(await second.answer.catch((error) => error)).toBe(ENDED);
});

test('a task that is ended while it waits never begins, and one that runs is replaced by the next on a new thread', async () => {
  await using pool = openPool(1);
  const [hanging, waiting, last] = [pool.run('hang'), pool.run('waiting'), pool.run('last')];
  expect([hanging.isWaiting(), waiting.isWaiting()]).toEqual([false, true]);
  waiting.end(ENDED);
  await expect(waiting.answer).rejects.toBe(ENDED);
  hanging.end(ENDED);
  await expect(hanging.answer).rejects.toBe(ENDED);
  expect(await last.answer).toBe('last');
  expect([pool.begun, pool.started()]).toEqual([['hang', 'last'], 2]);
  last.end(ENDED);
  expect(await last.answer).toBe('last');
});

test('a failing thread fails its task alone', async () => {
  await using pool = openPool(1);
  const [failing, next] = [pool.run('fail'), pool.run('next')];
  await expect(failing.answer).rejects.toThrow(/^the thread failed: [\s\S]*failed as asked/);
  expect(await next.answer).toBe('next');
});

test('closing fails tasks that run, wait, or come later', async () => {
  const pool = openPool(1);
  const before = [pool.run('hang'), pool.run('waiting')];
  const closed = pool.close();
  for (const { answer } of [...before, pool.run('later')]) await expect(answer).rejects.toBe(ENDED);
  await closed;
  expect(pool.begun).toEqual(['hang']);
});
