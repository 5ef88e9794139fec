import { failureOf } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { withoutSync } from '../file/log-file.ts';
import type { ExpectedIds } from '../file/open-or-replace.ts';
import { logExtentOf } from '../ledger/ledger.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import type { AnyFileTask, FileAnswer, FileThread } from '../upkeep/file-thread.ts';
import { createRowCopier } from './copy-rows.ts';
import type { FoundInLog } from './damaged-log.ts';

/** Result of a recovery, in checks. */
export interface Recovered {
  readonly copied: number;
  /** Already in the log. */
  readonly present: number;
  /** Left out, because an operator has deleted them. */
  readonly erased: number;
  /** Not readable. */
  readonly lost: number;
  /** True if some of the lost ones may have been deleted on request before the damage. */
  readonly isAtMost: boolean;
  readonly messages: RecoveredMessages;
}

/** Result of a recovery, in messages. */
interface RecoveredMessages {
  /** Number of readable ones. */
  readonly readable: number;
  /** Not readable, without those after the last readable one, of which the file has no trace. */
  readonly lost: number;
}

/** Dependencies of a recovery. */
export interface RecoveryParts {
  readonly log: LogFile;
  /** A thread of its own: a damaged disk may answer late. */
  readonly thread: FileThread;
  /** See `Deletions.hashOf`. */
  readonly hashOf: (wanted: string) => Buffer;
  readonly expected: ExpectedIds;
  /** Called after each step; lets others go first. */
  readonly afterStep: (progress: { readonly examined: number; readonly of: number }) => Promise<void>;
}

/**
 * Copies the readable checks of a damaged file into a log, each once; repeated, it continues.
 *
 * @throws Error if the log cannot be written
 */
export async function recoverLog(path: string, parts: RecoveryParts): Promise<Recovered> {
  const { log, thread, expected } = parts;
  const copier = createRowCopier(log, parts.hashOf);
  const { extent } = await ask(thread, { kind: 'scan_rows', path });
  if (extent === null) throw new Error(`${path} gave no answer`);
  copier.copyRecords(extent);
  const sums = { copied: 0, present: 0, erased: 0 };
  const messages = { readable: 0, first: Number.POSITIVE_INFINITY, last: 0 };
  let examined = 0;
  for (;;) {
    const { rows } = await ask(thread, { kind: 'read_rows', path });
    if (rows === null) break;
    // The quarantined file stays until the end.
    const { copied, present, erased } = withoutSync(log, () => copier.copy(rows.checks));
    sums.copied += copied;
    sums.present += present;
    sums.erased += erased;
    examined += rows.checks.length;
    const last = rows.checks.at(-1);
    if (log.recovery && last) log.recovery = { ...log.recovery, reachedId: last.id };
    if (rows.messages.length > 0) withoutSync(log, () => copier.copyMessages(rows.messages));
    for (const { id } of rows.messages) {
      messages.readable++;
      messages.first = Math.min(messages.first, id);
      messages.last = Math.max(messages.last, id);
    }
    await parts.afterStep({ examined, of: extent.checks });
  }
  copier.end();
  // The last commit is synced, and the ones before it with it.
  log.database.transaction(() => prepareNamed(log.database, 'touchLastDeleted').run({})).immediate();
  log.ledger?.restart(logExtentOf(log.database));
  return { ...sums, ...lossOf(extent, expected, examined), messages: gapsOf(messages) };
}

/** Ids increment by one per message. */
function gapsOf({ readable, first, last }: { readable: number; first: number; last: number }): RecoveredMessages {
  return { readable, lost: readable === 0 ? 0 : last - first + 1 - readable };
}

/** Ids increment by one per check: what is missing between them is lost, unless it was deleted on request. */
function lossOf(
  found: FoundInLog,
  { oldestId, newestId }: ExpectedIds,
  readable: number,
): Pick<Recovered, 'lost' | 'isAtMost'> {
  const oldest = oldestId ?? found.oldestId;
  const newest = newestId ?? found.newestId;
  const lost = newest === 0 ? 0 : Math.max(0, newest - oldest + 1 - readable);
  return { lost, isAtMost: found.deletions.some(([, by]) => by !== 'before') };
}

async function ask(thread: FileThread, task: AnyFileTask): Promise<FileAnswer> {
  const answer = await thread.run(task);
  if (answer.problem !== null) throw failureOf(answer.problem, answer.code);
  return answer;
}
