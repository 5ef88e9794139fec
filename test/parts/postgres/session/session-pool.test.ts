import { expect, test } from 'bun:test';
import { createSessionPool } from '#src/parts/postgres/read/readers.ts';
import { LateError } from '#src/parts/postgres/session/fault.ts';
import type { DatabaseConnection, Session } from '#src/parts/postgres/session/session.ts';

const LONG_MS = 60_000;

/** Sessions that hand their work no connection, and count what they do. */
function createSessions(count: number) {
  const state = { running: 0, most: 0, closed: 0 };
  const session: Session<null> = {
    renew() {},
    async run(work) {
      state.most = Math.max(state.most, ++state.running);
      try {
        return await work({} as DatabaseConnection<null>);
      } finally {
        state.running--;
      }
    },
    async [Symbol.asyncDispose]() {
      state.closed++;
    },
  };
  return { state, sessions: Array.from({ length: count }, () => ({ ...session })) };
}

test('runs as many tasks at a time as there are sessions, the others in order', async () => {
  const { state, sessions } = createSessions(2);
  const pool = createSessionPool(sessions, LONG_MS);
  const started: number[] = [];
  const results = [0, 1, 2, 3, 4].map((at) =>
    pool.run(async () => {
      started.push(at);
      await new Promise(setImmediate);
      return at;
    }),
  );
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  expect([started, state.most]).toEqual([[0, 1, 2, 3, 4], 2]);
  await pool[Symbol.asyncDispose]();
  expect(state.closed).toBe(2);
});

test('a failed task releases its session for the next one', async () => {
  const { sessions } = createSessions(1);
  const pool = createSessionPool(sessions, LONG_MS);
  const failed = pool.run(() => Promise.reject(new RangeError('x')));
  const next = pool.run(async () => 'done');
  await expect(failed).rejects.toThrow(RangeError);
  expect(await next).toBe('done');
  expect(await pool.run(async () => 'again')).toBe('again');
});

test('a task that waits too long fails, and other waiting tasks do not', async () => {
  const { sessions } = createSessions(1);
  const pool = createSessionPool(sessions, 20);
  const { promise, resolve } = Promise.withResolvers<void>();
  const busy = pool.run(() => promise);
  await expect(pool.run(async () => 'late')).rejects.toThrow(LateError);
  const waiting = pool.run(async () => 'in time');
  resolve();
  await busy;
  expect(await waiting).toBe('in time');
  expect(await pool.run(async () => 'idle')).toBe('idle');
});
