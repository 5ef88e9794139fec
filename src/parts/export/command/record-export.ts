import { appendAudit } from '#src/admin/audit/audit-log.ts';
import type { OpenedLog } from '#src/app/open-log.ts';
import type { ExportBegun } from '#src/checks/store/exports/export-record.ts';
import { describeActor } from '#src/core/base/actor.ts';
import { type Invocation, UsageError } from '#src/interfaces/cli/command.ts';

/** An export of private checks that has begun, and is on record. */
export interface RecordedExport {
  /** Writes down how many checks were handed out. */
  finish(checks: number): void;
}

/**
 * Records the export of private checks from files of this host.
 *
 * @throws UsageError if they are in a database, which cannot record it
 */
export function recordExport(
  { local }: OpenedLog,
  what: Omit<ExportBegun, 'user'>,
  { actor, config }: Pick<Invocation<{ readonly data_dir: string }>, 'actor' | 'config'>,
): RecordedExport {
  if (local === null) throw databaseExportRefused();
  const id = local.exports.begin({ user: describeActor(actor), ...what });
  const detail = { format: what.format, export: id };
  appendAudit(config.data_dir, actor, { action: 'log.export', subject: 'private', detail });
  return { finish: (checks) => local.exports.finish(id, checks) };
}

/** Why private checks are not handed out of a database. */
export function databaseExportRefused(): UsageError {
  return new UsageError(
    'private checks in a database cannot be exported: exports are recorded only with logs in files; run it on a host with log files',
  );
}
