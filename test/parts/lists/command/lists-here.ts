import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { runHere } from '#test/support/run-here.ts';
import { type Sample, sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** A data directory on which `lurecheck lists` runs in this process; `history` is logged before. */
export async function listsHere(history: readonly Sample[] = []) {
  const directory = temporaryDirectory();
  const { path: dataDir } = directory;
  if (history.length > 0) {
    const logger = createLogger('error', () => {});
    await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
    for (const sample of history) await log.append(sampleRecord(sample));
  }
  const piped = (stdin: string, ...args: string[]) => runHere(['lists', ...args, '--data-dir', dataDir], stdin);
  return {
    dataDir,
    piped,
    lists: (...args: string[]) => piped('', ...args),
    /** Writes a file of the operator; returns its path. */
    file(name: string, text: string | Uint8Array) {
      const path = join(dataDir, name);
      writeFileSync(path, text);
      return path;
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Lines of a text. */
export const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
