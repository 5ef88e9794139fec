import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where a program that cannot stay where it is goes. */
export const DEFAULT_PROGRAM_PATH = '/usr/local/bin/lurecheck';

/** Folders that the unit hides from the service, or that are gone one day. */
const TEMPORARY = /^\/(home|root|tmp|var\/tmp|run|media|mnt|dev|proc)\//;

/**
 * Whether a service may be started from there for years: it lies where nobody but root puts something else in its place, and
 * where the hardened unit sees it.
 */
export function isPermanent(program: string): boolean {
  if (TEMPORARY.test(program)) return false;
  for (let path = program; ; path = dirname(path)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
    if (path === dirname(path)) return true;
  }
}
