import { rm } from 'node:fs/promises';

/** Attempts, and the pause between two, in milliseconds. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** Removes a folder with everything in it, even while a process that is being killed still writes. What cannot be removed stays. */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await rm(folder, { recursive: true, force: true });
      return;
    } catch {
      await Bun.sleep(PAUSE_MS);
    }
  }
}
