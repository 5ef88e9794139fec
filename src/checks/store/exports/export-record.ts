import { eq } from 'drizzle-orm';
import { asStoreError, writeFailure } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { exportsMade } from '../file/schema.ts';

/** An export of private checks: a row of the record. */
export type ExportMade = typeof exportsMade.$inferSelect;

/** Properties of an export, recorded before any data is returned. */
export interface ExportBegun {
  /** User name of the process. */
  readonly user: string;
  readonly format: string;
  /** Selection of checks in any wording; only its hash is stored. */
  readonly selection: string;
}

/** Append-only record of exports of private checks. */
export interface ExportRecord {
  /** Records the start of an export, durably. Returns its id. Throws StoreError if that fails. */
  begin(begun: ExportBegun): number;
  /** Records how many checks were exported. Throws StoreError. */
  finish(id: number, checks: number): void;
  /** Returns all exports, oldest first. */
  all(): readonly ExportMade[];
}

/** Opens the record in the private log. */
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
