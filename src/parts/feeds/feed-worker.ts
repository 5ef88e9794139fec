import { StoreError } from '#src/checks/store/store-error.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { blockedByChecks } from '#src/parts/export/blocked/blocked-now.ts';
import { makeFeeds } from './feed/make-feeds.ts';
import type { FeedAnswer, FeedThreadTask } from './open-feeds.ts';

declare const self: Worker;

/** Entry point of the thread that makes feeds once. */
self.onmessage = async ({ data: task }: MessageEvent<FeedThreadTask>) => {
  const answer = await answerTo(task);
  const texts = 'problem' in answer ? [] : [...answer.feeds.values()].flatMap(({ text, packed }) => [text, packed]);
  self.postMessage(
    answer,
    texts.map(({ buffer }) => buffer),
  );
};

async function answerTo({ log, ...task }: FeedThreadTask): Promise<FeedAnswer> {
  try {
    if (log === null) return await makeFeeds(task, nothing());
    const { openLog } = await import('#src/app/open-log.ts');
    const { openManyPublishers } = await import('#src/app/scoring/list-guard.ts');
    await using logs = await openLog(
      log,
      'read',
      createLogger('error', () => {}),
    );
    const blocked = { decision: 'block', domain: null, fromMs: null, untilMs: null } as const;
    const entries = logs.log.read('public', blocked);
    return await makeFeeds(task, blockedByChecks(entries, await openManyPublishers(log.data_dir)).entries);
  } catch (error) {
    if (error instanceof OperationError || error instanceof StoreError) return { problem: error.message };
    throw error;
  }
}

async function* nothing(): AsyncGenerator<never> {}
