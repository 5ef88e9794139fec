import { readlinkSync } from 'node:fs';

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
