import { workerUrl } from '#src/core/base/threads/worker-url.ts';
import type { Message } from '#src/engine/message/read-message.ts';

/** What the thread is sent. */
export interface MessageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Processor time after which the thread leaves out what it has not read yet. */
  readonly budgetMs: number;
}

/** Processor time for any message, and for each MiB of it; mails take a tenth of that. */
const BUDGET_MS = 2000;
const BUDGET_MS_PER_MIB = 2000;

/** A thread that goes so far beyond its budget has not asked for it, and is ended. */
const PATIENCE = 3;

const POLL_INTERVAL_MS = 100;

/**
 * Reads a message in a thread of its own, within a budget of processor time that grows with its size. Null for what is no
 * text; `'ended'` where the thread did not keep to its budget and had to be ended.
 */
export async function readInThread(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Message | null | 'ended'> {
  const budgetMs = BUDGET_MS + BUDGET_MS_PER_MIB * (bytes.length / 1024 ** 2);
  const answer = Promise.withResolvers<Message | null | 'ended'>();
  const worker = new Worker(workerUrl('app/message/message-worker.ts'));
  const start = process.cpuUsage();
  // Meanwhile nothing else runs in this process.
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > PATIENCE * budgetMs) answer.resolve('ended');
  }, POLL_INTERVAL_MS);
  worker.onmessage = ({ data }: MessageEvent<Message | null>) => answer.resolve(data);
  worker.onerror = ({ message }) => answer.reject(new Error(`the thread that reads a message failed: ${message}`));
  worker.postMessage({ bytes, name, budgetMs } satisfies MessageTask);
  try {
    return await answer.promise;
  } finally {
    clearInterval(watch);
    worker.terminate();
  }
}
