import { userInfo } from 'node:os';
import type { OpenedLog } from '#src/program/open-log.ts';
import type { ExportBegun } from '#src/store/exports/export-record.ts';
import { UsageError } from '../command.ts';

/** An export of private checks that has begun, and is on record. */
export interface NotedExport {
  /** Writes down how many checks were handed out. */
  finish(checks: number): void;
}

/**
 * Writes down that private checks are handed out, from files of this machine alone.
 *
 * @throws UsageError where they are in a database, where that cannot go on record.
 */
export function noteExport({ local }: OpenedLog, what: Omit<ExportBegun, 'user'>): NotedExport {
  if (local === null) throw notOnRecord();
  const id = local.exports.begin({ user: userName(), ...what });
  return { finish: (checks) => local.exports.finish(id, checks) };
}

/** Why private checks are not handed out of a database. */
export function notOnRecord(): UsageError {
  return new UsageError(
    'private checks are exported from the files of their machine alone, where that goes on record; these are in a database',
  );
}

/** Whom the system takes this process for; its number where it has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}
