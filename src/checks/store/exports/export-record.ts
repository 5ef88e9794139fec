import { eq } from 'drizzle-orm';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { exportsMade } from '../file/schema.ts';
import { writeFailure } from '../file/write-failure.ts';

/** An export of private checks: a line of the record of them all. */
export type ExportMade = typeof exportsMade.$inferSelect;

/** What is written down of an export before anything is handed out. */
export interface ExportBegun {
  /** Whom the system takes the process for. */
  readonly user: string;
  readonly format: string;
  /** What was asked for, in any words. It is kept as a hash alone. */
  readonly selection: string;
}

/** The record of exports of private checks, which only grows. */
export interface ExportRecord {
  /** Writes down that one begins; survives a power cut. Returns its id. Throws StoreError where that is not possible. */
  begin(begun: ExportBegun): number;
  /** Writes down how many checks were handed out. Throws StoreError. */
  finish(id: number, checks: number): void;
  /** All of them, oldest first. */
  all(): readonly ExportMade[];
}

/** The record in the private log. */
export function openExportRecord(
  log: LogFile,
  { hashOf, now }: { readonly hashOf: (text: string) => Buffer; readonly now: () => number },
): ExportRecord {
  const { db } = log;
  const writing = <T>(write: () => T): T => {
    try {
      return log.database.transaction(write).immediate();
    } catch (error) {
      throw asStoreError(log.path, writeFailure(log.path, error));
    }
  };
  return {
    begin: ({ user, format, selection }) =>
      writing(() => {
        const row = { begunAtMs: now(), user, format, selectionHash: hashOf(selection) };
        return db.insert(exportsMade).values(row).returning({ id: exportsMade.id }).get().id;
      }),
    finish: (id, checks) =>
      writing(() => {
        db.update(exportsMade).set({ checks, doneAtMs: now() }).where(eq(exportsMade.id, id)).run();
      }),
    all: () => db.select().from(exportsMade).orderBy(exportsMade.id).all(),
  };
}
