import { createThreadPool, type PooledThread } from '#src/core/base/threads/thread-pool.ts';
import { workerUrl } from '#src/core/base/threads/worker-url.ts';
import type { Message } from '#src/engine/message/read-message.ts';
import type { MessageTask } from './message-thread.ts';

/** Threads that read messages one after the other, while the service does other work. */
export interface MessageThreads extends AsyncDisposable {
  /**
   * Reads a message. Null if it is not text; `'ended'` if the signal aborted first, in which case a thread that reads it is
   * terminated. Throws if the thread fails.
   */
  read(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Message | null | 'ended'>;
}

/** Processor time after which a thread leaves out what it has not read yet, in milliseconds. */
const BUDGET_MS = 2000;

/** Time that a thread may take beyond any budget: then it does not keep to it, and is terminated. */
const PATIENCE_MS = 6000;

/** Reason for which the reading of a message ends early. */
const ENDED = new Error('the message is not read to its end');

/** Creates the threads; each starts on first use, and again after it was terminated. */
export function createMessageThreads(threads: number): MessageThreads {
  const pool = createThreadPool(threads, startThread, (message) => {
    return new Error(`the thread that reads a message failed: ${message}`);
  });
  return {
    async read(bytes, signal) {
      if (signal.aborted) return 'ended';
      const run = pool.run({
        begin({ worker }, end) {
          const timer = setTimeout(end, PATIENCE_MS, ENDED).unref();
          worker.postMessage({ bytes, name: 'mail.eml', budgetMs: BUDGET_MS } satisfies MessageTask);
          return () => clearTimeout(timer);
        },
      });
      const onAbort = () => run.end(ENDED);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        // The worker answers with nothing else.
        return (await run.answer) as Message | null;
      } catch (error) {
        if (error === ENDED) return 'ended';
        throw error;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    [Symbol.asyncDispose]: () => pool.close(ENDED),
  };
}

/** Starts a thread that does not keep the process alive. */
function startThread(): PooledThread {
  const worker = new Worker(workerUrl('app/message/message-worker.ts'), { smol: true });
  worker.unref();
  return { worker };
}
