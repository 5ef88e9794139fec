import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Attempts, and the pause between two, in milliseconds. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/**
 * Removes a folder with everything in it, even while others still write to it, or remove parts of it. What cannot be
 * removed stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    // An entry that another one removed first ends the removal early, without an error.
    if (!existsSync(folder)) return;
    await Bun.sleep(PAUSE_MS);
  }
}
