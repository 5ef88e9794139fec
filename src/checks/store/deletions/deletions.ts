import { and, between, eq, inArray, lte, min } from 'drizzle-orm';
import type { Logger } from '#src/core/base/logger.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { BLOCK_CHECKS, blockOf, bucketOf, cellKey, domainHash, idsInCell } from '../domains/block.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import { unindexChecks } from '../domains/index-block.ts';
import { asStoreError, writeFailure } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks, deletions, domainBlocks } from '../file/schema.ts';
import { countMessages, messagesMeant, removeMessages } from '../messages/remove-messages.ts';
import { withRequestIds } from '../read/check-filter.ts';
import { newestIdOf } from '../read/find-checks.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { inTurn, prepareDelete, type Removal, type RemoveSome } from '../upkeep/delete-checks.ts';
import type { Eraser } from '../upkeep/eraser.ts';
import { runEvery } from '../upkeep/run-every.ts';
import type { DeletionTarget } from './deletion-target.ts';

/** Deletions requested by the operator, and their append-only record. */
export interface Deletions {
  /** Counts the checks that a deletion would remove. */
  count(visibility: Visibility, meant: DeletionTarget): number;
  /**
   * Requests a deletion, durably; the serving process carries it out. Returns its id. Throws StoreError if the request
   * cannot be stored, for instance on a full disk; nothing is deleted then.
   */
  ask(visibility: Visibility, meant: DeletionTarget): number;
  /**
   * Carries out the pending deletions without leaving a trace in any file. Resolves with those that are done now. Only
   * with access `serve`. Throws StoreError if the file fails, for instance on a full disk; the next call continues.
   */
  finish(visibility: Visibility): Promise<readonly Deletion[]>;
  /** Returns a deletion by id; null if unknown. */
  find(visibility: Visibility, id: number): Deletion | null;
  /** Returns all deletions, oldest first. */
  all(visibility: Visibility): readonly Deletion[];
  /** Returns the keyed hash of a target for the record. */
  hashOf(wanted: string): Buffer;
}

/** Dependencies of {@link createDeletions}. */
export interface DeletionTools {
  readonly erase: Eraser['erase'];
  readonly hashOf: (wanted: string) => Buffer;
  readonly now: () => number;
}

/** Creates the deletions of both logs. */
export function createDeletions(
  logs: Readonly<Record<Visibility, LogFile>>,
  { erase, hashOf, now }: DeletionTools,
): Deletions {
  async function finishOne(log: LogFile, id: number): Promise<Deletion | null> {
    await erase(log.visibility, () => {
      const deletion = findDeletion(log, id);
      return deletion && removalOf(log, deletion, now);
    });
    return findDeletion(log, id);
  }

  return {
    count(visibility, meant) {
      const log = logs[visibility];
      const found = findMatching(log, meant, newestIdOf(log)).reduce((sum, ids) => sum + ids.length, 0);
      return found + countMessages(log, meant);
    },
    ask(visibility, meant) {
      const log = logs[visibility];
      try {
        return log.database.transaction(() => insertDeletion(log, meant, hashOf(meant.wanted), now())).immediate();
      } catch (error) {
        throw asStoreError(log.path, writeFailure(log.path, error));
      }
    },
    async finish(visibility) {
      const log = logs[visibility];
      const done: Deletion[] = [];
      try {
        for (const id of pendingDeletions(log)) {
          const deletion = await finishOne(log, id);
          if (deletion?.doneAtMs != null) done.push(deletion);
        }
      } catch (error) {
        throw asStoreError(log.path, writeFailure(log.path, error));
      }
      return done;
    },
    find: (visibility, id) => findDeletion(logs[visibility], id),
    all: (visibility) => allDeletions(logs[visibility]),
    hashOf,
  };
}

/** Poll interval: the command that requests a deletion waits two seconds for it. */
const POLL_MS = 1000;

/** Carries out deletions that other processes requested or a previous run left, until it is disposed of. */
export function runPendingDeletions(
  { deletions }: { readonly deletions: Pick<Deletions, 'finish'> },
  logger: Logger,
): Disposable {
  return runEvery(
    POLL_MS,
    async () => {
      for (const visibility of VISIBILITIES) {
        for (const { removed } of await deletions.finish(visibility)) {
          logger.info('log.deleted', { visibility, removed });
        }
      }
    },
    (error) => logger.error('log.delete_failed', { error }),
  );
}

/**
 * Returns the removal of the checks that a deletion matches, block by block. Each transaction also stores the count, so
 * that a killed process resumes with the right number. When all checks are removed, the recorded target is cleared.
 */
function removalOf(log: LogFile, deletion: Deletion, now: () => number): Removal {
  const target = targetOf(deletion);
  return {
    prepare: () => prepareRemoval(log, deletion, target),
    takes: (id) => target !== null && id <= deletion.newestId && matchesAt(log, target, id),
    whenGone: () => noteDeletion(log, deletion.id, { doneAtMs: now() }),
  };
}

function prepareRemoval(
  log: LogFile,
  { id, by, newestId, removed }: Deletion,
  target: DeletionTarget | null,
): RemoveSome {
  const remove = prepareDelete(log);
  const blocks = target && findMatching(log, target, newestId);
  const messages = target && messagesMeant(target);
  let due: number[] = [];
  let total = removed;
  const removeChecks: RemoveSome = (limit) => {
    if (due.length === 0) {
      const next = blocks?.next();
      if (!next || next.done) return null;
      due = next.value;
    }
    const some = due.slice(0, limit);
    due = due.slice(limit);
    const [first] = some;
    if (first === undefined) return 0;
    remove(some);
    unindexChecks(log, blockOf(first), new Set(some));
    return some.length;
  };
  const removeSome = messages ? inTurn(removeChecks, removeMessages(log, messages)) : removeChecks;
  return (limit) => {
    const some = removeSome(limit);
    if (some === null) {
      if (by !== 'before') noteDeletion(log, id, { wanted: null });
      return null;
    }
    total += some;
    if (some > 0) noteDeletion(log, id, { removed: total });
    return some;
  };
}

function matchesAt({ db }: LogFile, target: DeletionTarget, id: number): boolean {
  const { requestId, host, url } = checks;
  const check = db.select({ requestId, host, url }).from(checks).where(eq(checks.id, id)).get();
  return check !== undefined && matches(target, check);
}

/**
 * Yields the ids of the checks up to `newestId` that match a target, ascending, one block at a time; empty for a block
 * without any. Reads each block on demand.
 */
function* findMatching(log: LogFile, target: DeletionTarget, newestId: number): Generator<number[], void, void> {
  if (target.by === 'id') {
    const found = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(withRequestIds([target.wanted]));
    yield found.all().map(({ id }) => id);
    return;
  }
  const [first] = log.db
    .select({ id: min(checks.id) })
    .from(checks)
    .all();
  for (let block = blockOf(first?.id ?? newestId + 1); block <= blockOf(newestId); block++) {
    yield inBlock(log, target, block, newestId);
  }
}

function inBlock(log: LogFile, target: DeletionTarget, block: number, newestId: number): number[] {
  const { db } = log;
  const indexed = db.select().from(domainBlocks).where(eq(domainBlocks.block, block)).get();
  let candidates = between(checks.id, block * BLOCK_CHECKS, (block + 1) * BLOCK_CHECKS - 1);
  if (indexed && target.by === 'before' && indexed.oldestMs >= Date.parse(target.wanted)) return [];
  if (indexed && target.by === 'domain') {
    const ids = indexedIds(log, block, target.wanted);
    if (ids.length === 0) return [];
    candidates = inArray(checks.id, ids);
  }
  const { id, requestId, host, url } = checks;
  const rows = db
    .select({ id, requestId, host, url })
    .from(checks)
    .where(and(candidates, lte(id, newestId)))
    .orderBy(id)
    .all();
  return rows.filter((row) => matches(target, row)).map((row) => row.id);
}

function indexedIds({ db }: LogFile, block: number, domain: string): number[] {
  const hash = domainHash(domain);
  const key = cellKey(bucketOf(hash), block);
  const cell = db.select({ entries: checkDomains.entries }).from(checkDomains).where(eq(checkDomains.cell, key)).get();
  return cell ? idsInCell(cell.entries, block, hash, () => true) : [];
}

/** A requested deletion: a row of the record. */
export type Deletion = typeof deletions.$inferSelect;

/** Returns the target of a deletion; null if its checks are removed and only traces may be left. */
function targetOf({ by, wanted }: Deletion): DeletionTarget | null {
  return wanted === null ? null : { by, wanted };
}

/** Columns of a check that decide if a deletion matches it. */
type Candidate = Pick<typeof checks.$inferSelect, 'requestId' | 'host' | 'url'>;

/** Returns true if a deletion matches a check. */
function matches({ by, wanted }: DeletionTarget, check: Candidate): boolean {
  switch (by) {
    case 'id':
      return check.requestId === wanted;
    case 'domain':
      return isOfDomain(check, wanted);
    case 'before':
      return requestIdMs(check.requestId) < Date.parse(wanted);
  }
}

/** Records a requested deletion. Returns its id. */
function insertDeletion(log: LogFile, { by, wanted }: DeletionTarget, wantedHash: Buffer, askedAtMs: number): number {
  const row = { askedAtMs, by, wanted, wantedHash, newestId: newestIdOf(log), removed: 0 };
  return log.db.insert(deletions).values(row).returning({ id: deletions.id }).get().id;
}

/** Returns a deletion by id; null if unknown. */
function findDeletion({ db }: LogFile, id: number): Deletion | null {
  return db.select().from(deletions).where(eq(deletions.id, id)).get() ?? null;
}

/** Returns all deletions of a log, oldest first. */
function allDeletions({ db }: LogFile): Deletion[] {
  return db.select().from(deletions).orderBy(deletions.id).all();
}

/** Returns the ids of the pending deletions, oldest first. */
function pendingDeletions({ database }: LogFile): number[] {
  const pending = prepareNamed(database, 'pendingDeletions');
  return pending.all({}).map(({ id }) => id);
}

/** Records the progress of a deletion. */
function noteDeletion({ db }: LogFile, id: number, progress: Partial<Omit<Deletion, 'id'>>): void {
  db.update(deletions).set(progress).where(eq(deletions.id, id)).run();
}
