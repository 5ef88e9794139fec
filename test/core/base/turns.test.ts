import { expect, test } from 'bun:test';
import { createTurns, TurnsEndedError } from '#src/core/base/turns.ts';

test('runs one task at a time, in order, also after failures', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const running = turns.run(async () => {
    seen.push('first');
    await first.promise;
    throw new RangeError('first');
  });
  const next = turns.run(() => Promise.resolve(seen.push('second')));
  expect(turns.isAwaited).toBe(true);
  await new Promise(setImmediate);
  expect(seen).toEqual(['first']);
  first.resolve();
  await expect(running).rejects.toBeInstanceOf(RangeError);
  expect(await next).toBe(2);
  await new Promise(setImmediate);
  expect([seen, turns.isAwaited]).toEqual([['first', 'second'], false]);
});

test('rejects waiting and new tasks once it has ended', async () => {
  const turns = createTurns();
  const work = [() => new Promise<void>(() => {}), () => Promise.resolve()];
  const given = Promise.allSettled(work.map(turns.run));
  await new Promise(setImmediate);
  turns.end();
  const reasons = (await given).map((one) => one.status === 'rejected' && one.reason instanceof TurnsEndedError);
  expect(reasons).toEqual([true, true]);
  await expect(turns.run(() => Promise.resolve())).rejects.toBeInstanceOf(TurnsEndedError);
});
