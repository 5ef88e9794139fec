/** Waits for a condition; one that never holds ends the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

/** Waits for what another process does by and by, asking now and then for ten seconds. Throws where it never holds. */
export async function untilSeen(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return;
    await Bun.sleep(50);
  }
  throw new Error(`never seen: ${what}`);
}
