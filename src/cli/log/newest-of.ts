import type { LogEntry, ScanLog } from '#src/store/scan-log.ts';
import type { LogSelection } from './log-request.ts';

/** What is asked for, newest first. */
export async function* newestOf(
  log: ScanLog,
  { id, visibility, filter, limit }: LogSelection,
): AsyncGenerator<LogEntry> {
  if (id !== null) {
    const found = await log.find(visibility, id);
    if (found) yield found;
    return;
  }
  let left = limit ?? Infinity;
  if (left === 0) return;
  for await (const entry of log.read(visibility, filter)) {
    yield entry;
    if (--left === 0) return;
  }
}
