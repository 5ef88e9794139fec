import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { DetailFilter, LogSelection } from './log-request.ts';

/** Yields the selected checks, newest first. */
export async function* newestOf(
  log: ScanLog,
  { id, visibility, filter, details, limit }: LogSelection,
): AsyncGenerator<LogEntry> {
  if (id !== null) {
    const found = await log.find(visibility, id);
    if (found) yield found;
    return;
  }
  let left = limit ?? Infinity;
  if (left === 0) return;
  for await (const entry of log.read(visibility, filter)) {
    if (!hasDetails(entry, details)) continue;
    yield entry;
    if (--left === 0) return;
  }
}

/** Returns true if a check is meant by its details. One whose record cannot be read may be, and is reported as such. */
export function hasDetails({ result }: LogEntry, details: DetailFilter | undefined): boolean {
  if (details === undefined || isUnreadable(result)) return true;
  const { coverage, caution, model_version: modelVersion, via, decided_by, reasons } = result.analysis_details;
  return (
    (details.coverage ?? coverage) === coverage &&
    (caution || !details.caution) &&
    (details.via ?? via) === via &&
    (details.list === null || details.list === decided_by?.list) &&
    (details.reason === null || reasons.some(({ code }) => code === details.reason)) &&
    (details.modelVersion ?? modelVersion) === modelVersion
  );
}

/** Returns true if there is a readable log; none exists before the first `serve`. */
export function hasHistory(
  config: Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'>,
  visibility: Visibility = 'public',
): boolean {
  const databases = visibility === 'public' ? config.log_database : config.log_database_private;
  return databases.length > 0 || existsSync(join(config.data_dir, `${visibility}.sqlite`));
}

/** Hands entries on, and counts them. */
export function countRead(entries: AsyncIterable<LogEntry>) {
  let count = 0;
  let unread = 0;
  return {
    entries: (async function* () {
      for await (const entry of entries) {
        count++;
        if (isUnreadable(entry.result)) unread++;
        yield entry;
      }
    })(),
    /** Returns the number of checks read. */
    count: () => count,
    /** Returns how many of them had an unreadable record. */
    unread: () => unread,
  };
}

/** Says how many records could not be read, and what the command ends with. */
export async function reportUnread(unread: number, { stderr }: Pick<Io, 'stderr'>): Promise<ExitCode> {
  if (unread === 0) return 0;
  const records = counted(unread, 'record');
  await stderr.write(`lurecheck: ${records} cannot be read; only the other columns of those checks are shown\n`);
  return 1;
}
