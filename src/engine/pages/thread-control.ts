import { readlinkSync } from 'node:fs';

/** Memory that the serving thread and a page thread share. */
export type ThreadControl = Int32Array<SharedArrayBuffer>;

/** Its cells: the kernel's id of the page thread, 0 where it is not known, and 1 where the thread is to come to an end. */
const THREAD_ID = 0;
const STOP = 1;

/** A control for a thread that is to be started. */
export function createControl(): ThreadControl {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Called in the page thread, so that the other one can ask the kernel for its processor time. */
export function tellThreadId(control: ThreadControl): void {
  try {
    const id = /\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1];
    Atomics.store(control, THREAD_ID, Number(id ?? 0));
  } catch {
    // No /proc here: the time on the wall bounds the thread.
  }
}

/** The kernel's id of the page thread; null where it is not known. */
export function threadIdOf(control: ThreadControl): number | null {
  return Atomics.load(control, THREAD_ID) || null;
}

/** Says whether the page thread is to come to an end with what it has. */
export function setStopped(control: ThreadControl, isStopped: boolean): void {
  Atomics.store(control, STOP, isStopped ? 1 : 0);
}

/** Whether {@link setStopped} said so. */
export function isStopped(control: ThreadControl): boolean {
  return Atomics.load(control, STOP) === 1;
}
