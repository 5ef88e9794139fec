import type { Database } from 'bun:sqlite';
import { existsSync, rmSync, statSync } from 'node:fs';
import type { Logger } from '#src/core/base/logger.ts';
import { clearDamage, isDamageNoted } from '../ledger/damage.ts';
import type { FoundAs } from '../ledger/loss.ts';
import { StoreError } from '../store-error.ts';
import { backUp, removeCopies, upgradeBackup } from './backup.ts';
import { createLog } from './create-log.ts';
import { openDatabase } from './database.ts';
import { asStoreError, isDamage } from './fault.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { quarantineFile } from './quarantine.ts';
import { writeFailure } from './write-failure.ts';

/** Options for opening a log's file. */
export interface OpenFile {
  /** Create a missing file. */
  readonly create: boolean;
  /** Upgrade an old file and quarantine a damaged one. Only for the holder of the directory's lock. */
  readonly repair: boolean;
  /** True if a file should exist. */
  readonly isExpected: boolean;
  readonly nowMs: number;
  readonly logger: Logger;
  readonly migrations?: readonly Migration[];
}

/** A log's file, open and at the latest schema. */
export interface OpenedFile<T> {
  readonly database: Database;
  /** Result of the examination. */
  readonly seen: T;
  readonly foundAs: FoundAs;
  /** Path of the quarantined file, or of the orphaned write-ahead log; null if all was usable. */
  readonly movedTo: string | null;
}

/**
 * Opens a log's file and examines it. If either finds damage, the file is quarantined and a new one is created. Throws
 * StoreError.
 */
export function openOrReplace<T>(path: string, options: OpenFile, examine: (database: Database) => T): OpenedFile<T> {
  const foundAs = inspectFile(path);
  const orphan = foundAs === 'in_place' ? null : keepOrphan(path, foundAs, options);
  // A new log is created under another name and then renamed.
  if (foundAs === 'emptied' && options.repair) rmSync(path, { force: true });
  try {
    return { ...openFile(path, options, examine), foundAs, movedTo: orphan };
  } catch (error) {
    if (!isDamage(error) || !options.repair) throw error;
    const movedTo = quarantineFile(path, options.nowMs);
    clearDamage(path);
    options.logger.error('log.replaced', { path, keptAs: movedTo, error });
    return { ...openFile(path, options, examine), foundAs: 'damaged', movedTo };
  }
}

function inspectFile(path: string): Exclude<FoundAs, 'damaged'> {
  try {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) return 'removed';
    return bytes === 0 ? 'emptied' : 'in_place';
  } catch (error) {
    throw asStoreError(path, error);
  }
}

/**
 * Handles a write-ahead log without its file, which SQLite would apply to the new file or delete. It may hold the last
 * remaining checks, or belong to a running server.
 */
function keepOrphan(path: string, foundAs: 'removed' | 'emptied', options: OpenFile): string | null {
  const { create, repair, isExpected, nowMs } = options;
  const hasWal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasWal && repair) return quarantineFile(path, nowMs);
  if (!hasWal && (create || (foundAs === 'removed' && !isExpected))) return null;
  throw new StoreError('damaged', `${path} was ${foundAs}. Restore a backup, or let lurecheck serve begin a new log.`);
}

function openFile<T>(
  path: string,
  options: OpenFile,
  examine: (database: Database) => T,
): Pick<OpenedFile<T>, 'database' | 'seen'> {
  const { create, repair, nowMs, migrations } = options;
  if (create) createLog(path, nowMs, migrations);
  const database = openDatabase(path);
  try {
    if (repair) {
      removeCopies(path, { finished: false });
      if (isDamageNoted(path)) refuseDamage(path, database);
    }
    migrate(database, {
      nowMs,
      mayUpgrade: repair,
      backUp: (version) => {
        const copy = upgradeBackup(path, version);
        if (!existsSync(copy)) backUp(database, copy);
      },
      ...(migrations && { migrations }),
    });
    return { database, seen: examine(database) };
  } catch (error) {
    database.close();
    throw asStoreError(path, writeFailure(path, error));
  }
}

/** Rechecks a file in which the last server found damage; a restored backup clears the mark. */
function refuseDamage(path: string, database: Database): void {
  const found = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError('damaged', `${path} is damaged: ${found}`);
  clearDamage(path);
}
