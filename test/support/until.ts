import { PATIENT_MS } from './patience.ts';

/** Turns of the event loop in which most conditions begin to hold that this process brings about itself. */
const QUICK_TURNS = 50;
/** Pause between later turns: a test that waits for another process must not use the processor that this one needs. */
const PAUSE_MS = 3;

/** Waits for a condition; one that never holds ends the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await condition()); turns++) {
    await (turns < QUICK_TURNS ? new Promise(setImmediate) : Bun.sleep(PAUSE_MS));
  }
}

const POLL_MS = 50;

/** Polls a condition that another process brings about. Throws if the condition does not hold within {@link PATIENT_MS}. */
export async function untilSeen(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < PATIENT_MS / POLL_MS; tries++) {
    if (await condition()) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`never seen: ${what}`);
}
