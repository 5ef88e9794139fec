import { eq } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import type { LogFile } from '../file/log-file.ts';
import { type checks, deletions } from '../file/schema.ts';
import { newestIdOf } from '../read/find-checks.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import type { DeletionTarget } from './deletion-target.ts';

/** A requested deletion: a row of the record. */
export type Deletion = typeof deletions.$inferSelect;

/** Returns the target of a deletion; null if its checks are removed and only traces may be left. */
export function targetOf({ by, wanted }: Deletion): DeletionTarget | null {
  return wanted === null ? null : { by, wanted };
}

/** Columns of a check that decide if a deletion matches it. */
export type Candidate = Pick<typeof checks.$inferSelect, 'requestId' | 'host' | 'url'>;

/** Returns true if a deletion matches a check. */
export function matches({ by, wanted }: DeletionTarget, check: Candidate): boolean {
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
export function insertDeletion(
  log: LogFile,
  { by, wanted }: DeletionTarget,
  wantedHash: Buffer,
  askedAtMs: number,
): number {
  const row = { askedAtMs, by, wanted, wantedHash, newestId: newestIdOf(log), removed: 0 };
  return log.db.insert(deletions).values(row).returning({ id: deletions.id }).get().id;
}

/** Returns a deletion by id; null if unknown. */
export function findDeletion({ db }: LogFile, id: number): Deletion | null {
  return db.select().from(deletions).where(eq(deletions.id, id)).get() ?? null;
}

/** Returns all deletions of a log, oldest first. */
export function allDeletions({ db }: LogFile): Deletion[] {
  return db.select().from(deletions).orderBy(deletions.id).all();
}

/** Returns the ids of the pending deletions, oldest first. */
export function pendingDeletions({ database }: LogFile): number[] {
  const pending = prepareNamed(database, 'pendingDeletions');
  return pending.all({}).map(({ id }) => id);
}

/** Records the progress of a deletion. */
export function noteDeletion({ db }: LogFile, id: number, progress: Partial<Omit<Deletion, 'id'>>): void {
  db.update(deletions).set(progress).where(eq(deletions.id, id)).run();
}
