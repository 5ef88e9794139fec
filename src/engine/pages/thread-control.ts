import { readFileSync, readlinkSync } from 'node:fs';

/** Multiple of its budget that a thread may use in CPU time, or be stalled for in wall time, before it is terminated. */
const BUDGET_FACTOR = 10;

/** Minimum wall time without progress for which a thread counts as stalled: on a busy host it may not run for a second. */
const MIN_STALL_MS = 5000;

/** Minimum interval between two checks of the CPU time. */
const MIN_INTERVAL_MS = 10;

/** Time until the CPU time is first read, which takes as long as reading a small page. */
const FIRST_LOOK_MS = 50;

/** Watchdog of a thread. */
interface ThreadWatch {
  /** Must be called when the thread has answered. */
  stop(): void;
}

/**
 * Calls `onEnd` once if a thread has used ten times its budget in CPU time, or made no progress for as long in wall time,
 * but at least for five seconds. Progress on a busy host is waited for. Wall time counts alone while the CPU time is
 * unknown. Its CPU time is first read a moment later, since most pages are done by then.
 *
 * @param threadId returns the kernel's id of the thread; null if unknown.
 */
export function watchThread(threadId: () => number | null, budgetMs: number, onEnd: () => void): ThreadWatch {
  const maxMs = BUDGET_FACTOR * budgetMs;
  let start: number | null = null;
  let last: number | null = null;
  let progressedAtMs = performance.now();
  const check = () => {
    const used = usedMs(threadId());
    start ??= used;
    const nowMs = performance.now();
    if (used !== null && (last === null || used > last)) progressedAtMs = nowMs;
    last = used;
    const isSpent = used !== null && used - (start ?? 0) >= maxMs;
    if (isSpent || nowMs - progressedAtMs >= Math.max(maxMs, MIN_STALL_MS)) onEnd();
    else timer = setTimeout(check, intervalMs);
  };
  const intervalMs = Math.max(maxMs, MIN_INTERVAL_MS);
  let timer = setTimeout(check, Math.min(FIRST_LOOK_MS, intervalMs));
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

/** Memory that the serving thread and a page thread share. */
export type ThreadControl = Int32Array<SharedArrayBuffer>;

/** Indices of its cells: the kernel's id of the page thread, 0 if unknown; and 1 if the thread should stop. */
const THREAD_ID = 0;
const STOP = 1;

/** Creates the control of a thread that has not started. */
export function createControl(): ThreadControl {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Stores the id of the calling page thread, so that the serving thread can read its CPU time. */
export function publishThreadId(control: ThreadControl): void {
  try {
    const id = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1];
    Atomics.store(control, THREAD_ID, Number(id ?? 0));
  } catch {
    // Without /proc, wall time bounds the thread.
  }
}

/** Returns the kernel's id of the page thread; null if unknown. */
export function threadIdOf(control: ThreadControl): number | null {
  return Atomics.load(control, THREAD_ID) || null;
}

/** Asks the page thread to stop and answer with what it has read, or withdraws that. */
export function setStopped(control: ThreadControl, isStopped: boolean): void {
  Atomics.store(control, STOP, isStopped ? 1 : 0);
}

/** Returns what {@link setStopped} stored. */
export function isStopped(control: ThreadControl): boolean {
  return Atomics.load(control, STOP) === 1;
}
