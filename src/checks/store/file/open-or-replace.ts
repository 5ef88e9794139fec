import type { Database } from 'bun:sqlite';
import { existsSync, rmSync, statSync } from 'node:fs';
import type { Logger } from '#src/core/base/logger.ts';
import { forgetDamage, isDamageNoted } from '../ledger/damage.ts';
import type { FoundAs } from '../ledger/loss.ts';
import { StoreError } from '../store-error.ts';
import { backUp, removeCopies, upgradeBackup } from './backup.ts';
import { createLog } from './create-log.ts';
import { openDatabase } from './database.ts';
import { asStoreError, isDamage } from './fault.ts';
import { keepAside } from './quarantine.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';
import { writeFailure } from './write-failure.ts';

/** How the file of a log may be changed so that it can be used. */
export interface OpenFile {
  /** Makes a missing file. */
  readonly create: boolean;
  /** Brings an old file up to date, and keeps a damaged one aside. Only for who holds the directory's lock. */
  readonly repair: boolean;
  /** Whether there was a file. */
  readonly isExpected: boolean;
  readonly nowMs: number;
  readonly logger: Logger;
  readonly migrations?: readonly Migration[];
}

/** The file of a log, open and at the newest schema. */
export interface OpenedFile<T> {
  readonly database: Database;
  /** What was seen in it. */
  readonly seen: T;
  readonly foundAs: FoundAs;
  /** Where what cannot be used lies now, or what was beside it; null where all could be used. */
  readonly keptAs: string | null;
}

/**
 * Opens the file of a log and looks into it by `examine`. A file in which either meets damage is kept aside and begun anew.
 * Throws StoreError.
 */
export function openOrReplace<T>(path: string, options: OpenFile, examine: (database: Database) => T): OpenedFile<T> {
  const foundAs = lookAt(path);
  const orphan = foundAs === 'in_place' ? null : keepOrphan(path, foundAs, options);
  // A log is made whole, under another name.
  if (foundAs === 'emptied' && options.repair) rmSync(path, { force: true });
  try {
    return { ...openFile(path, options, examine), foundAs, keptAs: orphan };
  } catch (error) {
    if (!isDamage(error) || !options.repair) throw error;
    const keptAs = keepAside(path, options.nowMs);
    forgetDamage(path);
    options.logger.error('log.replaced', { path, keptAs, error });
    return { ...openFile(path, options, examine), foundAs: 'damaged', keptAs };
  }
}

function lookAt(path: string): Exclude<FoundAs, 'damaged'> {
  try {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) return 'removed';
    return bytes === 0 ? 'emptied' : 'in_place';
  } catch (error) {
    throw asStoreError(path, error);
  }
}

/**
 * A write-ahead log without its file: SQLite would apply it to the new file, or delete it. What is in it may be the last
 * of what is left, or the log of a server that runs.
 */
function keepOrphan(path: string, foundAs: 'removed' | 'emptied', options: OpenFile): string | null {
  const { create, repair, isExpected, nowMs } = options;
  const hasWal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasWal && repair) return keepAside(path, nowMs);
  if (!hasWal && (create || (foundAs === 'removed' && !isExpected))) return null;
  throw new StoreError('damaged', `${path} was ${foundAs}. Restore a backup, or let lurecheck serve begin it anew.`);
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

/** The last server found damage. Whoever restored a backup since is not told so again. */
function refuseDamage(path: string, database: Database): void {
  const found = database.query<{ integrity_check: string }, []>('pragma integrity_check(1)').get()?.integrity_check;
  if (found !== 'ok') throw new StoreError('damaged', `${path} is damaged: ${found}`);
  forgetDamage(path);
}
