import type { ConfigFor } from '#src/app/config.ts';
import type { Line } from '#src/core/base/files/line-reader.ts';
import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import type { LineOptions } from './check-lines.ts';
import type { FormattedOutcomes } from './formatted-outcomes.ts';

/** First message to a thread. */
export interface LineThreadStart extends LineOptions {
  readonly config: ConfigFor<'check'>;
}

/** Threads that check lines for the thread that reads and prints. Disposal ends their work. */
export interface LineThreads extends Disposable {
  /** Checks lines; null if every thread is busy. Rejects if a thread fails. */
  check(lines: readonly Line[]): Promise<FormattedOutcomes> | null;
}

/** One running and one waiting, so that a thread never idles. */
const MAX_QUEUED_BATCHES = 2;

/**
 * Starts threads with their own models. Unlike threads of a service, they keep the process alive: otherwise the runtime
 * would poll them without a pause and use a whole core.
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

function startThread(start: LineThreadStart) {
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
    /** Orders that are not answered yet. */
    load: () => (failure ? Number.POSITIVE_INFINITY : waiting.length),
    check(lines: readonly Line[]) {
      const answer = Promise.withResolvers<FormattedOutcomes>();
      waiting.push(answer);
      worker.postMessage(lines);
      return answer.promise;
    },
    [Symbol.dispose]: () => void worker.terminate(),
  };
}
