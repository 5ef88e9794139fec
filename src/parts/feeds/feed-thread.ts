import type { LogPlaceSettings } from '#src/app/open-log.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import type { FeedTask, MadeFeeds } from './feed/make-feeds.ts';

/** A task for the thread. */
export interface FeedThreadTask extends FeedTask {
  /** Log of the public checks whose blocked hosts are added; null for none. */
  readonly log: LogPlaceSettings | null;
}

/** The feeds, or the reason why there are none. */
export type FeedAnswer = MadeFeeds | { readonly problem: string };

/** Longest time for making feeds, in milliseconds: a hundred times that of 200,000 entries. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Makes feeds in a thread of their own, which ends afterwards and so returns its memory.
 *
 * @throws OperationError if a list or the log cannot be read, if it takes too long, or once `signal` is aborted
 */
export async function makeInThread(task: FeedThreadTask, signal: AbortSignal): Promise<MadeFeeds> {
  const answer = Promise.withResolvers<FeedAnswer>();
  const fail = (problem: string) => answer.resolve({ problem });
  const worker = new Worker(workerUrl('parts/feeds/feed-worker.ts'));
  const timer = setTimeout(() => fail('making the feeds took more than ten minutes'), TIMEOUT_MS);
  const stop = () => fail('the service stops');
  signal.addEventListener('abort', stop, { once: true });
  worker.unref();
  worker.onmessage = ({ data }: MessageEvent<FeedAnswer>) => answer.resolve(data);
  worker.onerror = ({ message }) => fail(`the thread that makes the feeds failed: ${message}`);
  worker.postMessage(task);
  try {
    const made = await answer.promise;
    if ('problem' in made) throw new OperationError('feeds_failed', [made.problem]);
    return made;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}
