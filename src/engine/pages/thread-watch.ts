import { readFileSync } from 'node:fs';

/** Multiple of its budget that a thread may use in CPU time, or be stalled for in wall time, before it is terminated. */
const BUDGET_FACTOR = 10;

/** Watchdog of a thread. */
export interface ThreadWatch {
  /** Must be called when the thread has answered. */
  stop(): void;
}

/**
 * Calls `onEnd` once if a thread has used ten times its budget in CPU time, or made no progress for as long in wall time.
 * Progress on a busy host is waited for. Wall time counts alone if the CPU time is unknown.
 *
 * @param threadId returns the kernel's id of the thread; null if unknown.
 */
export function watchThread(threadId: () => number | null, budgetMs: number, onEnd: () => void): ThreadWatch {
  const start = usedMs(threadId());
  let last = start;
  const check = () => {
    const used = usedMs(threadId());
    const isStarted = used !== null && (last === null || used > last);
    if (!isStarted || used - (start ?? 0) >= BUDGET_FACTOR * budgetMs) {
      onEnd();
      return;
    }
    last = used;
    timer = setTimeout(check, BUDGET_FACTOR * budgetMs);
  };
  let timer = setTimeout(check, BUDGET_FACTOR * budgetMs);
  return { stop: () => clearTimeout(timer) };
}

/** Returns the CPU time of a thread of this process, in milliseconds; null if unknown. The kernel reports nanoseconds. */
function usedMs(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const [ranNs = ''] = readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ');
    return Number(ranNs) / 1e6;
  } catch {
    return null;
  }
}
