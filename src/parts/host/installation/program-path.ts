import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Destination of a program that cannot stay in its folder. */
export const DEFAULT_PROGRAM_PATH = '/usr/local/bin/lurecheck';

/** Folders that the unit hides from the service, or that are gone one day. */
const TEMPORARY = /^\/(home|root|tmp|var\/tmp|run|media|mnt|dev|proc)\//;

/**
 * Returns true if a service can be started from this path permanently: only root can replace the file, and the hardened
 * unit can access it.
 */
export function isPermanent(program: string): boolean {
  if (TEMPORARY.test(program)) return false;
  for (let path = program; ; path = dirname(path)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
    if (path === dirname(path)) return true;
  }
}
