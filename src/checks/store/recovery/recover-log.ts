import { getTableColumns } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdBytes, requestIdMs } from '#src/core/base/request-id.ts';
import { blockOf } from '../domains/block.ts';
import { hostOfRow, indexedSuffixes } from '../domains/host-suffixes.ts';
import { indexBlock, unindexBlock } from '../domains/index-block.ts';
import { failureOf } from '../file/fault.ts';
import { type LogFile, withoutSync } from '../file/log-file.ts';
import type { ExpectedIds } from '../file/open-or-replace.ts';
import { deletions, exportsMade } from '../file/schema.ts';
import { logExtentOf } from '../ledger/ledger.ts';
import { prepareInsertStoredMessages } from '../messages/insert-messages.ts';
import type { LoggedMessage } from '../messages/stored-message.ts';
import { lastIdOf, newestIdOf } from '../read/find-checks.ts';
import { knownMessages } from '../read/read-stored.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { StoreError } from '../store-error.ts';
import type { AnyFileTask, FileAnswer, FileThread } from '../upkeep/file-thread.ts';
import { forgetHours, prepareCounters } from '../write/counters.ts';
import { prepareInsertRows } from '../write/insert-checks.ts';
import type { LoggedCheck } from '../write/stored-check.ts';
import type { FoundInLog } from './damaged-log.ts';
import type { StoredValue } from './table-rows.ts';

/** Copies checks of another file into a log, in log order. */
interface RowCopier {
  /** Copies the records of what was deleted and exported; those that the log has are left out. */
  copyRecords(found: FoundInLog): void;
  /** Copies checks in one transaction: those that the log lacks, and that no deletion removed. Returns how many. */
  copy(rows: readonly LoggedCheck[]): { copied: number; present: number; erased: number };
  /** Copies messages likewise. Returns how many. */
  copyMessages(rows: readonly LoggedMessage[]): number;
  /** Indexes the domains of the last checks. */
  end(): void;
}

/**
 * Creates a copier. A check keeps its id, and with it its place in log order; if another check has the id, it is appended.
 *
 * @param hashOf see `Deletions.hashOf`
 */
function createRowCopier(log: LogFile, hashOf: (wanted: string) => Buffer): RowCopier {
  const { database } = log;
  const counters = log.visibility === 'public' ? prepareCounters(log) : null;
  const insertRows = prepareInsertRows(log);
  const insertMessages = prepareInsertStoredMessages(log);
  const isDeleted = deletedChecks(log, hashOf);
  const knownCheck = prepareNamed(database, 'checkWith');
  const taken = prepareNamed(database, 'checkAt');
  const isIndexed = prepareNamed(database, 'blockAt');
  /** Blocks without their index: a search skips them, a deletion reads them whole. */
  const unindexed = new Set<number>();

  function placeOf({ id }: LoggedCheck, newestId: number): number {
    return id <= newestId && taken.get({ id }) === null ? id : newestId + 1;
  }

  function indexBefore(end: number): void {
    for (const block of unindexed) {
      if (block >= end) continue;
      unindexed.delete(block);
      database.transaction(() => indexBlock(log, block)).immediate();
    }
  }

  const copy = database.transaction((rows: readonly LoggedCheck[]) => {
    if (counters && rows.some(({ clientHash }) => clientHash !== null)) {
      throw privateRows('checks');
    }
    const insert = insertRows();
    const isGone = isDeleted();
    const added: LoggedCheck[] = [];
    let [present, erased] = [0, 0];
    let newestId = lastIdOf(log);
    for (const row of rows) {
      const logged = knownCheck.get({
        decision: DECISIONS.indexOf(row.decision),
        requestId: requestIdBytes(row.requestId),
      });
      if (logged) present++;
      else if (isGone(row)) erased++;
      else {
        const id = placeOf(row, newestId);
        newestId = Math.max(newestId, id);
        insert(row, id);
        added.push({ ...row, id });
      }
      const block = blockOf(logged?.id ?? added.at(-1)?.id ?? row.id);
      if (unindexed.has(block) || (logged && isIndexed.get({ block }))) continue;
      unindexed.add(block);
      unindexBlock(log, block);
    }
    if (counters) counters.add(added);
    else forgetHours(log, added);
    return { copied: added.length, present, erased };
  });

  const copyMessages = database.transaction((rows: readonly LoggedMessage[]) => {
    if (counters && rows.some(({ clientHash }) => clientHash !== null)) throw privateRows('messages');
    const isGone = isDeleted();
    const known = knownMessages(log, rows);
    const added = rows.filter((row) => !known.has(row.requestId) && !isGone(row));
    // Their ids may be those of later messages by now.
    insertMessages(added.map(({ id: _, ...row }) => row));
    return added.length;
  });

  return {
    copyMessages: (rows) => copyMessages.immediate(rows),
    copyRecords({ deletions: deleted, exports }) {
      database
        .transaction(() => {
          insertMissing(log, 'deletions', namesOf(deletions), deleted);
          insertMissing(log, 'exports', namesOf(exportsMade), exports);
        })
        .immediate();
    },
    copy(rows) {
      const counted = copy.immediate(rows);
      const [first] = rows;
      if (first) indexBefore(blockOf(first.id));
      return counted;
    },
    end: () => indexBefore(blockOf(newestIdOf(log) + 1)),
  };
}

const privateRows = (what: string) =>
  new StoreError('wrong_database', `The file has private ${what}, which must not come into the public log.`);

function namesOf(table: Parameters<typeof getTableColumns>[0]): string[] {
  return Object.values(getTableColumns(table))
    .map(({ name }) => name)
    .filter((name) => name !== 'id');
}

function insertMissing(
  { database }: LogFile,
  table: string,
  columns: readonly string[],
  rows: readonly StoredValue[][],
): void {
  const quoted = columns.map((name) => `"${name}"`);
  const isSame = quoted
    .slice(0, 2)
    .map((name, i) => `${name} = ?${i + 1}`)
    .join(' and ');
  const insert = database.query<never, StoredValue[]>(
    `insert into ${table} (${quoted.join(', ')}) select ${columns.map((_, i) => `?${i + 1}`).join(', ')}
    where not exists (select 1 from ${table} where ${isSame})`,
  );
  for (const row of rows) insert.run(...row);
}

/** Tests a check of another file, without a URL that of a message: true if an operator's deletion removed it from this log, or is about to. */
type DeletedTest = (check: Pick<LoggedCheck, 'requestId'> & Partial<Pick<LoggedCheck, 'host' | 'url'>>) => boolean;

/**
 * Returns the tests by the deletions on record, which name an id or a domain by its keyed hash alone. Call the result in each
 * transaction, so that no deletion is missed.
 */
function deletedChecks({ db }: LogFile, hashOf: (wanted: string) => Buffer): () => DeletedTest {
  let seen = -1;
  let latestMs = 0;
  let beforeMs = Number.NEGATIVE_INFINITY;
  const hashes = { id: new Map<string, number>(), domain: new Map<string, number>() };

  const isHit = (by: keyof typeof hashes, wanted: string, atMs: number): boolean =>
    hashes[by].size > 0 && atMs <= (hashes[by].get(hashOf(wanted).toString('hex')) ?? Number.NEGATIVE_INFINITY);

  return () => {
    const rows = db.select().from(deletions).all();
    for (const { by, wanted, wantedHash, askedAtMs } of rows.length === seen ? [] : rows) {
      latestMs = Math.max(latestMs, askedAtMs);
      if (by === 'before') beforeMs = Math.max(beforeMs, Date.parse(wanted ?? ''));
      else hashes[by].set(wantedHash.toString('hex'), askedAtMs);
    }
    seen = rows.length;
    return (check) => {
      const atMs = requestIdMs(check.requestId);
      if (atMs > latestMs) return false;
      if (atMs < beforeMs || isHit('id', check.requestId, atMs)) return true;
      const { host = null, url } = check;
      if (url === undefined) return false;
      return (
        hashes.domain.size > 0 && indexedSuffixes(hostOfRow({ host, url })).some((name) => isHit('domain', name, atMs))
      );
    };
  };
}

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
