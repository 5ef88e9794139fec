import { expect, test } from 'bun:test';
import { createLogger } from '#src/core/base/logger.ts';
import { createRotation } from '#src/parts/fleet/rotation.ts';

test('a value that works is discarded if another was offered while it was tried', async () => {
  const tried = new Map<string, PromiseWithResolvers<void>>();
  const log: string[] = [];
  using rotation = createRotation<string>({
    setting: 'limiter',
    active: 'first',
    async prepare(value) {
      const waiting = Promise.withResolvers<void>();
      tried.set(value, waiting);
      await waiting.promise;
      return { use: () => void log.push(`use ${value}`), discard: () => void log.push(`discard ${value}`) };
    },
    logger: createLogger('error', () => {}),
  });
  const second = rotation.offer('second');
  const third = rotation.offer('third');
  tried.get('third')?.resolve();
  await third;
  tried.get('second')?.resolve();
  await second;
  expect(log).toEqual(['use third', 'discard second']);
});
