import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import { createThreadPool, type PooledThread } from '#src/core/base/threads/thread-pool.ts';
import type { AuthenticationTrust } from '#src/engine/message/authentication-results.ts';
import type { MailLinks } from './mail-links.ts';
import type { MessageTask, MessageThreadAnswer } from './message-task.ts';

/** Threads that read mails one after the other, while the service does other work. */
export interface MessageThreads extends AsyncDisposable {
  /**
   * Finds the links of a mail, whose bytes must not be used afterwards. Reading ends with partial results when the time
   * is over. If the signal aborts first, or the thread exceeds its budget, the thread is terminated and only the links
   * of the mail's beginning are returned; `'ended'` if those are unknown. Throws if the thread fails.
   *
   * @param trust servers whose authentication results may be believed
   * @param timeMs returns the remaining time, in milliseconds
   */
  read(
    bytes: Uint8Array<ArrayBuffer>,
    trust: AuthenticationTrust,
    timeMs: () => number,
    signal: AbortSignal,
  ): Promise<MailLinks | 'ended'>;
}

/** Processor time after which a thread leaves out what it has not read yet, in milliseconds. */
const BUDGET_MS = 2000;

/** Time that a thread may take beyond any budget: then it does not keep to it, and is terminated. */
const PATIENCE_MS = 6000;

/**
 * Size from which on a mail is large, in bytes. One thread reads large mails, so that their memory is that of one; other
 * mails do not wait for it, and their beginnings for at most one of them.
 */
const LARGE_BYTES = 256 * 1024;
const BEGINNING_BYTES = 64 * 1024;

/** Reason for which the reading of a message ends early. */
const ENDED = new Error('the message is not read to its end');

/** Creates the threads, and another one for large mails; each starts on first use, and again after it was terminated. */
export function createMessageThreads(threads: number): MessageThreads {
  const failure = (message: string) => new Error(`the thread that reads a message failed: ${message}`);
  const usual = createThreadPool(threads, startThread, failure);
  const large = createThreadPool(1, startThread, failure);

  async function readIn(
    { pool, isUrgent }: { readonly pool: typeof usual; readonly isUrgent: boolean },
    bytes: Uint8Array<ArrayBuffer>,
    before: MailLinks | 'ended',
    trust: AuthenticationTrust,
    timeMs: () => number,
    signal: AbortSignal,
  ): Promise<MailLinks | 'ended'> {
    if (signal.aborted) return before;
    const run = pool.run({
      isUrgent,
      begin({ worker }, end) {
        const timer = setTimeout(end, PATIENCE_MS, ENDED).unref();
        const limits = { budgetMs: BUDGET_MS, untilMs: timeMs(), trust };
        const task = { bytes, name: 'mail.eml', ...limits, wants: 'links' } satisfies MessageTask;
        worker.postMessage(task, [bytes.buffer]);
        return () => clearTimeout(timer);
      },
    });
    // A beginning that is being read takes some milliseconds more.
    const onAbort = () => {
      if (!isUrgent || run.isWaiting()) run.end(ENDED);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // The worker posts nothing else, and takes each text of this name for a mail.
      return ((await run.answer) as MessageThreadAnswer).result as MailLinks;
    } catch (error) {
      if (error === ENDED) return before;
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    async read(bytes, trust, timeMs, signal) {
      if (bytes.length <= LARGE_BYTES)
        return await readIn({ pool: usual, isUrgent: false }, bytes, 'ended', trust, timeMs, signal);
      const first = bytes.slice(0, BEGINNING_BYTES);
      const beginning = await readIn({ pool: large, isUrgent: true }, first, 'ended', trust, timeMs, signal);
      const known = beginning === 'ended' ? beginning : { ...beginning, isWhole: false };
      return await readIn({ pool: large, isUrgent: false }, bytes, known, trust, timeMs, signal);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([usual.close(ENDED), large.close(ENDED)]);
    },
  };
}

/** Starts a thread that does not keep the process alive. */
function startThread(): PooledThread {
  const worker = new Worker(workerUrl('app/message/message-worker.ts'), { smol: true });
  worker.unref();
  return { worker };
}
