import type { Database } from 'bun:sqlite';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { Logger } from '#src/core/base/logger.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import type { LogExtent } from '../ledger/ledger.ts';
import type { FoundAs } from '../ledger/loss.ts';
import { clearDamage, isDamageNoted } from '../ledger/notices.ts';
import { readDamagedLog } from '../recovery/damaged-log.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { StoreError } from '../store-error.ts';
import { backUp, removeCopies, upgradeBackup } from './backup.ts';
import { createLog, replaceLog } from './create-log.ts';
import { openDatabase, openForReading } from './database.ts';
import { asStoreError, isDamage, writeFailure } from './fault.ts';
import { type Migration, migrate } from './migrate.ts';

/** Formats a moment for a file name. */
export function fileStamp(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[-:.]/g, '');
}

const ASIDE = '.damaged-';

/** Suffix of a file that exists until the checks of a quarantined file are copied back. */
const PENDING = '.recovering';

/** Ids of the checks that a quarantined file should have; null if unknown. */
export interface ExpectedIds {
  readonly oldestId: number | null;
  readonly newestId: number | null;
}

/**
 * Renames an unusable file and its side files. Returns its new path.
 *
 * @param expected marks the file for recovery; null if nothing of it is copied back
 */
export function quarantineFile(path: string, nowMs: number, expected: ExpectedIds | null): string {
  const aside = `${path}${ASIDE}${fileStamp(nowMs)}`;
  if (expected) writeFileSync(aside + PENDING, `${JSON.stringify(expected)}\n`, { mode: 0o600, flush: true });
  // The file itself is renamed last: until then the next start finds the same damage and retries.
  for (const suffix of ['-shm', '-wal', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** Returns the quarantined files of a data directory. */
export function quarantinedFilesIn(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name.includes(ASIDE) && !name.endsWith(PENDING))
    .toSorted()
    .map((name) => join(dataDir, name));
}

/** Returns the log of which a quarantined file was a part; null if its name does not say so. */
export function visibilityOf(path: string): Visibility | null {
  return VISIBILITIES.find((visibility) => basename(path).startsWith(`${visibility}.sqlite`)) ?? null;
}

/** Returns the label of a quarantined file, which its notice has too. */
export function quarantineStamp(path: string): string {
  return path.slice(path.lastIndexOf(ASIDE) + ASIDE.length);
}

const Expected = Type.Object({
  oldestId: Type.Union([Type.Number(), Type.Null()]),
  newestId: Type.Union([Type.Number(), Type.Null()]),
});

/** Returns the quarantined files of a log whose checks are not copied back yet, oldest first. */
export function pendingRecoveries(dataDir: string, visibility: Visibility): { path: string; expected: ExpectedIds }[] {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith(`${visibility}.sqlite${ASIDE}`) && name.endsWith(PENDING))
    .toSorted()
    .map((name) => {
      const shaped = readShape(Expected, parseJson(readFileSync(join(dataDir, name), 'utf8')));
      const expected = 'value' in shaped ? shaped.value : { oldestId: null, newestId: null };
      return { path: join(dataDir, name.slice(0, -PENDING.length)), expected };
    });
}

/** Marks a quarantined file as copied back. */
export function clearPendingRecovery(path: string): void {
  rmSync(path + PENDING, { force: true });
}

/** Options for opening a log's file. */
export interface OpenFile {
  /** Create a missing file. */
  readonly create: boolean;
  /** Upgrade an old file and quarantine a damaged one. Only for the holder of the directory's lock. */
  readonly repair: boolean;
  /** Extent that the file should have; null if unknown. */
  readonly expected: LogExtent | null;
  /** Damage that was found in the file while it was in use: it is replaced at once. */
  readonly damage?: { readonly problem: string; readonly newestId: number | null };
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
  const { damage, expected, nowMs, logger } = options;
  const newestId = Math.max(damage?.newestId ?? 0, expected?.newest?.id ?? 0);
  const ids = { oldestId: expected?.oldest?.id ?? null, newestId: newestId || null };

  function replace(error: unknown): OpenedFile<T> {
    const movedTo = replaceLog(path, nowMs, options.migrations, () => quarantineFile(path, nowMs, ids));
    clearDamage(path);
    logger.error('log.replaced', { path, keptAs: movedTo, error });
    return continued({ ...openFile(path, options, examine), foundAs: 'damaged', movedTo }, ids.newestId);
  }

  if (damage) return replace(damage.problem);
  const foundAs = inspectFile(path);
  const orphan = foundAs === 'in_place' ? null : keepOrphan(path, foundAs, options, ids);
  // A new log is created under another name and then renamed.
  if (foundAs === 'emptied' && options.repair) rmSync(path, { force: true });
  try {
    return continued({ ...openFile(path, options, examine), foundAs, movedTo: orphan }, ids.newestId);
  } catch (error) {
    if (!isDamage(error) || !options.repair) throw error;
    return replace(error);
  }
}

/** Lets a new file continue the ids of the quarantined one, whose checks are copied back under their own. */
function continued<T>(opened: OpenedFile<T>, newestId: number | null): OpenedFile<T> {
  if (opened.movedTo === null) return opened;
  const lastId = newestId ?? newestIdIn(opened.movedTo);
  if (lastId > 0) prepareNamed(opened.database, 'setLastDeleted').run({ row: 1, checkId: lastId });
  return opened;
}

/** Reads the whole file: without a ledger there is no other way to find its last id. */
function newestIdIn(path: string): number {
  using damaged = readDamagedLog(path);
  return damaged.extent.newestId;
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
function keepOrphan(path: string, foundAs: 'removed' | 'emptied', options: OpenFile, ids: ExpectedIds): string | null {
  const { create, repair, expected, nowMs } = options;
  const hasWal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasWal && repair) return quarantineFile(path, nowMs, ids);
  if (!hasWal && (create || (foundAs === 'removed' && expected === null))) return null;
  throw new StoreError('damaged', `${path} was ${foundAs}. Restore a backup, or let lurecheck serve begin a new log.`);
}

function openFile<T>(
  path: string,
  options: OpenFile,
  examine: (database: Database) => T,
): Pick<OpenedFile<T>, 'database' | 'seen'> {
  const { create, repair, nowMs, migrations } = options;
  if (create) createLog(path, nowMs, migrations);
  const database = create ? openDatabase(path) : openForReading(path);
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
