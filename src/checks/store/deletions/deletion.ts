import { eq, isNull } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import type { LogFile } from '../file/log-file.ts';
import { type checks, deletions } from '../file/schema.ts';
import { newestIdOf } from '../read/find-checks.ts';
import type { Deletable } from './deletion-target.ts';

/** A deletion that was asked for: a line of the record of them all. */
export type Deletion = typeof deletions.$inferSelect;

/** What a deletion means; null where that has gone already, and only its traces may be left. */
export function deletableOf({ by, wanted }: Deletion): Deletable | null {
  return wanted === null ? null : { by, wanted };
}

/** What there is to know of a check, to tell whether a deletion means it. */
export type Candidate = Pick<typeof checks.$inferSelect, 'requestId' | 'host' | 'url'>;

/** Whether a deletion means a check. */
export function isMeant({ by, wanted }: Deletable, check: Candidate): boolean {
  switch (by) {
    case 'id':
      return check.requestId === wanted;
    case 'domain':
      return isOfDomain(check, wanted);
    case 'before':
      return requestIdMs(check.requestId) < Date.parse(wanted);
  }
}

/** Writes down that a deletion is asked for. Returns its id. */
export function insertDeletion(log: LogFile, { by, wanted }: Deletable, wantedHash: Buffer, askedAtMs: number): number {
  const row = { askedAtMs, by, wanted, wantedHash, newestId: newestIdOf(log), removed: 0 };
  return log.db.insert(deletions).values(row).returning({ id: deletions.id }).get().id;
}

/** The deletion with this id; null where there is none. */
export function findDeletion({ db }: LogFile, id: number): Deletion | null {
  return db.select().from(deletions).where(eq(deletions.id, id)).get() ?? null;
}

/** All deletions of a log, oldest first. */
export function allDeletions({ db }: LogFile): Deletion[] {
  return db.select().from(deletions).orderBy(deletions.id).all();
}

/** Those that are not done yet, oldest first. */
export function openDeletions({ db }: LogFile): Deletion[] {
  return db.select().from(deletions).where(isNull(deletions.doneAtMs)).orderBy(deletions.id).all();
}

/** Writes down what has come of a deletion. */
export function noteDeletion({ db }: LogFile, id: number, progress: Partial<Omit<Deletion, 'id'>>): void {
  db.update(deletions).set(progress).where(eq(deletions.id, id)).run();
}
