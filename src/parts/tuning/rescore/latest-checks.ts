import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';

/** Number of latest checks on which a preview compares. */
export const PREVIEWED_CHECKS = 10_000;

/** Number of records that are read at a time, which blocks the thread for a millisecond. */
const TOGETHER = 4;

/** Returns the latest public checks. */
export async function* latestChecks(log: Pick<ScanLog, 'read'>, limit = PREVIEWED_CHECKS): AsyncGenerator<LogEntry> {
  let left = limit;
  for await (const entry of log.read('public', EVERY_CHECK, TOGETHER)) {
    yield entry;
    if (--left <= 0) return;
  }
}
