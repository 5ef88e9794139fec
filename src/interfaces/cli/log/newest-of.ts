import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
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
