import { isUnread } from '#src/record/kept-result.ts';
import type { LogEntry } from '#src/store/scan-log.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';

/** Hands entries on, and counts those whose record could not be read. */
export function countUnread(entries: AsyncIterable<LogEntry>): {
  readonly entries: AsyncIterable<LogEntry>;
  count(): number;
} {
  let unread = 0;
  return {
    entries: (async function* () {
      for await (const entry of entries) {
        if (isUnread(entry.result)) unread++;
        yield entry;
      }
    })(),
    count: () => unread,
  };
}

/** Says how many records could not be read, and what the command ends with. */
export async function tellUnread(unread: number, { stderr }: Pick<Io, 'stderr'>): Promise<ExitCode> {
  if (unread === 0) return 0;
  const records = unread === 1 ? '1 record' : `${unread} records`;
  await stderr.write(`lurecheck: ${records} cannot be read; what else is known of those checks is shown\n`);
  return 1;
}
