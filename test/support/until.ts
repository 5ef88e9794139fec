import { PATIENT_MS } from './patience.ts';

/** Waits for a condition; one that never holds ends the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
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
