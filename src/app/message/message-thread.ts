import { workerUrl } from '#src/core/base/threads/run-in-thread.ts';
import type { AuthenticationTrust } from '#src/engine/message/authentication-results.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MessageTask, MessageThreadAnswer } from './message-task.ts';

/** Processor time for any message, and for each MiB of it; mails take a tenth of that. */
const BUDGET_MS = 2000;
const BUDGET_MS_PER_MIB = 2000;

/** A thread that goes so far beyond its budget has not asked for it, and is ended. */
const PATIENCE = 3;

const POLL_INTERVAL_MS = 100;

/**
 * Reads a message in a thread of its own, within a budget of processor time that grows with its size. Null for what is no
 * text. If the thread does not keep to its budget and has to be ended, returns what it found before; `'ended'` if that is
 * nothing.
 */
export async function readInThread(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  trust: AuthenticationTrust,
): Promise<Message | null | 'ended'> {
  const budgetMs = BUDGET_MS + BUDGET_MS_PER_MIB * (bytes.length / 1024 ** 2);
  const answer = Promise.withResolvers<Message | null | 'ended'>();
  const worker = new Worker(workerUrl('app/message/message-worker.ts'));
  const start = process.cpuUsage();
  let latest: Message | 'ended' = 'ended';
  // Meanwhile nothing else runs in this process.
  const watch = setInterval(() => {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > PATIENCE * budgetMs) answer.resolve(latest);
  }, POLL_INTERVAL_MS);
  worker.onmessage = ({ data: { isPart, result } }: MessageEvent<MessageThreadAnswer>) => {
    // The worker answers with nothing else.
    const message = result as Message | null;
    if (!isPart) answer.resolve(message);
    else if (message !== null) latest = message;
  };
  worker.onerror = ({ message }) => answer.reject(new Error(`the thread that reads a message failed: ${message}`));
  worker.postMessage({
    bytes,
    name,
    budgetMs,
    untilMs: Number.POSITIVE_INFINITY,
    trust,
    wants: 'message',
  } satisfies MessageTask);
  try {
    return await answer.promise;
  } finally {
    clearInterval(watch);
    worker.terminate();
  }
}
