import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { ExitCode } from '../exit-codes.ts';

/** Entries on their way, counted. */
export interface CountedEntries {
  readonly entries: AsyncIterable<LogEntry>;
  /** Returns the number of checks read. */
  count(): number;
  /** Returns how many of them had an unreadable record. */
  unread(): number;
}

/** Hands entries on, and counts them. */
export function countRead(entries: AsyncIterable<LogEntry>): CountedEntries {
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
    count: () => count,
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
