import type { ConfigFor } from '#src/app/config.ts';
import type { Line } from '#src/core/base/files/line-reader.ts';
import { workerUrl } from '#src/core/base/threads/worker-url.ts';
import type { LineOptions } from './check-lines.ts';
import type { FormattedOutcomes } from './formatted-outcomes.ts';

/** First message to a thread. */
export interface LineThreadStart extends LineOptions {
  readonly config: ConfigFor<'check'>;
}

/** Threads that check lines beside the one that reads and prints them. Disposing of them ends what they do. */
export interface LineThreads extends Disposable {
  /** What came of the lines; null where each thread has enough to do. Rejects where a thread fails. */
  check(lines: readonly Line[]): Promise<FormattedOutcomes> | null;
}

/** One at work and one at hand, so that a thread never waits for the other side. */
const MAX_QUEUED_BATCHES = 2;

/**
 * Starts threads, each with models of its own. Unlike threads of a service they keep the process alive: where nothing else
 * did, the runtime would ask without a pause whether they have answered, and take a whole core for it.
 */
export function startLineThreads(count: number, start: LineThreadStart): LineThreads {
  const threads = Array.from({ length: count }, () => startThread(start));
  return {
    check(lines) {
      const [first] = threads.toSorted((a, b) => a.load() - b.load());
      return first && first.load() < MAX_QUEUED_BATCHES ? first.check(lines) : null;
    },
    [Symbol.dispose]() {
      for (const thread of threads) thread[Symbol.dispose]();
    },
  };
}

interface LineThread extends Disposable {
  /** Orders that are not answered yet. */
  load(): number;
  check(lines: readonly Line[]): Promise<FormattedOutcomes>;
}

function startThread(start: LineThreadStart): LineThread {
  const worker = new Worker(workerUrl('interfaces/cli/check/line-worker.ts'));
  const waiting: PromiseWithResolvers<FormattedOutcomes>[] = [];
  let failure: Error | null = null;
  worker.onmessage = (event: MessageEvent<FormattedOutcomes>) => waiting.shift()?.resolve(event.data);
  worker.onerror = (event) => {
    failure = new Error(`the thread that checks lines failed: ${event.message}`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.postMessage(start);
  return {
    load: () => (failure ? Number.POSITIVE_INFINITY : waiting.length),
    check(lines) {
      const answer = Promise.withResolvers<FormattedOutcomes>();
      waiting.push(answer);
      worker.postMessage(lines);
      return answer.promise;
    },
    [Symbol.dispose]: () => void worker.terminate(),
  };
}
