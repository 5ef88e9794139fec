import { readFileSync } from 'node:fs';

/** How many times its processor time a thread may use before it is ended; also how long it may stand still, on the wall. */
const PATIENCE = 10;

/** Ends a thread that takes too long. */
export interface ThreadWatch {
  /** To be called where the thread has answered. */
  stop(): void;
}

/**
 * Calls `onEnd` once where a thread has used ten times its processor time, or none at all for as long on the wall: on a busy
 * host a thread that goes on is waited for. Where the kernel does not tell its processor time, the time on the wall counts.
 *
 * @param threadId the kernel's id of the thread; null where it is not known.
 */
export function watchThread(threadId: () => number | null, budgetMs: number, onEnd: () => void): ThreadWatch {
  const start = usedMs(threadId());
  let last = start;
  const look = () => {
    const used = usedMs(threadId());
    const isStarted = used !== null && (last === null || used > last);
    if (!isStarted || used - (start ?? 0) >= PATIENCE * budgetMs) {
      onEnd();
      return;
    }
    last = used;
    timer = setTimeout(look, PATIENCE * budgetMs);
  };
  let timer = setTimeout(look, PATIENCE * budgetMs);
  return { stop: () => clearTimeout(timer) };
}

/** Processor time that a thread of this process has used; null where the kernel does not tell (schedstat, in nanoseconds). */
function usedMs(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const [ranNs = ''] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ');
    return Number(ranNs) / 1e6;
  } catch {
    return null;
  }
}
