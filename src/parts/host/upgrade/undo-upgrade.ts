import { Database } from 'bun:sqlite';
import { chownSync, createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { upgradeBackup } from '#src/checks/store/file/backup.ts';
import { openDatabase } from '#src/checks/store/file/database.ts';
import { lockDirectory } from '#src/checks/store/file/directory-lock.ts';
import { asStoreError, faultOf } from '#src/checks/store/file/fault.ts';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { fileStamp } from '#src/checks/store/file/open-or-replace.ts';
import { newestIdOf } from '#src/checks/store/read/find-checks.ts';
import { readStoredChecks } from '#src/checks/store/read/read-stored.ts';
import { prepareInsertStored } from '#src/checks/store/write/insert-checks.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { BackupError } from '#src/parts/backup/archive/backup-format.ts';
import { readBackup } from '#src/parts/backup/archive/read-backup.ts';

/** Rows that are read at a time. */
const BATCH = 500;

/** Options of the rollback of logs for an older program. */
interface UndoOrder {
  readonly dataDir: string;
  /** Number of migrations that the older program knows. */
  readonly schema: number;
  /** A backup of the older program; null if there is none. */
  readonly backup: string | null;
  readonly nowMs: number;
}

/** A log that was put back. */
export interface UndoneLog {
  readonly visibility: Visibility;
  /** Path of the newer program's file, kept as a whole. */
  readonly aside: string;
  /** Source of the restored log: the copy from the migration, or the earlier backup. */
  readonly source: 'copy' | 'backup';
  /** Number of checks moved from the newer file to the older one. */
  readonly carried: number;
  /** Number of checks that could not be moved and are in the newer file alone; null if it is unknown. */
  readonly missing: number | null;
}

/** Returns true if a log has more migrations than an older program knows. */
export function isTooNew(dataDir: string, schema: number): boolean {
  return VISIBILITIES.some((visibility) => schemaOf(logAt(dataDir, visibility)) > schema);
}

/**
 * Restores logs that a newer program has migrated, so that the older one can open them: from the copy made at the
 * migration, or else from the backup. Newer checks are moved to them if their format is known; the newer file is kept
 * aside. An interruption leaves each log whole, old or new, and a repetition continues.
 *
 * @throws StoreError `locked` if a service is running there; BackupError if there is nothing to restore from
 */
export async function undoUpgrade(order: UndoOrder): Promise<UndoneLog[]> {
  using _ = lockDirectory(order.dataDir);
  const undone: UndoneLog[] = [];
  for (const visibility of VISIBILITIES) {
    const path = logAt(order.dataDir, visibility);
    try {
      if (schemaOf(path) > order.schema) undone.push(await undoLog(path, visibility, order));
    } catch (error) {
      throw error instanceof BackupError ? error : asStoreError(path, error);
    }
  }
  return undone;
}

async function undoLog(path: string, visibility: Visibility, order: UndoOrder): Promise<UndoneLog> {
  const copy = upgradeBackup(path, order.schema);
  const source = existsSync(copy) ? 'copy' : 'backup';
  const older = source === 'copy' ? copy : await extractLog(path, visibility, order);
  // Nothing of it may stay beside the file that takes its place.
  mergeWal(path);
  const brought = mergeNewer(path, older, visibility, order.schema);
  const aside = `${path}.newer-${fileStamp(order.nowMs)}`;
  linkSync(path, aside);
  renameSync(older, path);
  return { visibility, aside, source, ...brought };
}

/** Extracts a log from the backup, with the owner of the file that it will replace. */
async function extractLog(path: string, visibility: Visibility, { backup }: UndoOrder): Promise<string> {
  if (backup === null || !existsSync(backup)) {
    throw new BackupError(`${path} was migrated, and no earlier backup exists to restore.`);
  }
  const draft = `${path}.older`;
  rmSync(draft, { force: true });
  let isFound = false;
  await readBackup(backup, async (name, bytes) => {
    isFound ||= name === `${visibility}.sqlite`;
    if (name === `${visibility}.sqlite`) return await pipeline(bytes, createWriteStream(draft, { mode: 0o600 }));
    for await (const _ of bytes);
  });
  if (!isFound) throw new BackupError(`${backup} has no ${visibility} log.`);
  const { uid, gid } = statSync(path);
  chownSync(draft, uid, gid);
  return draft;
}

function schemaOf(path: string): number {
  if (!existsSync(path)) return 0;
  using database = new Database(path, { readwrite: true });
  return database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
}

function mergeWal(path: string): void {
  using database = openDatabase(path);
  database.query('pragma journal_mode = delete').all();
  if (existsSync(`${path}-wal`))
    throw new BackupError(`${path} is in use by another program: end that program, then try again.`);
}

/** All that the newer file has more; by the program alone whose schema the older one has. */
function mergeNewer(
  newer: string,
  older: string,
  visibility: Visibility,
  schema: number,
): Pick<UndoneLog, 'carried' | 'missing'> {
  try {
    if (schema === MIGRATIONS.length) return { carried: copyNewerChecks(newer, older, visibility), missing: 0 };
  } catch (error) {
    if (faultOf(error) !== null) throw error;
    // Its tables are others than those that are known here: the file is kept, and what is in it alone is counted.
  }
  return { carried: 0, missing: countMissing(newer, older) };
}

/**
 * Copies the checks that a newer program logged since then into a file of this version's schema, all or none, in log order.
 * Records in an unknown form are copied unchanged. Returns the number of checks. Throws what SQLite throws if the tables differ.
 */
function copyNewerChecks(newer: string, older: string, visibility: Visibility): number {
  using from = new Database(newer, { readwrite: true, strict: true });
  using to = openDatabase(older);
  const [source, log] = [
    { db: drizzle(from) },
    { database: to, db: drizzle(to), visibility, settledMs: Number.POSITIVE_INFINITY },
  ];
  const insert = prepareInsertStored(log);
  let carried = 0;
  to.transaction(() => {
    for (let after = newestIdOf(log); ; ) {
      const rows = readStoredChecks(source, after, BATCH);
      const last = rows.at(-1);
      if (last === undefined) return;
      insert(rows);
      carried += rows.length;
      after = last.id;
    }
  }).immediate();
  return carried;
}

function countMissing(newer: string, older: string): number | null {
  try {
    using file = new Database(older, { readonly: true });
    const last = file.query<{ id: number }, []>('select coalesce(max(id), 0) as id from checks').get()?.id ?? 0;
    using database = new Database(newer, { readwrite: true });
    const count = database.query<{ n: number }, [number]>('select count(*) as n from checks where id > ?').get(last);
    return count?.n ?? null;
  } catch {
    // Its tables may be others than those that are known here.
    return null;
  }
}

const logAt = (dataDir: string, visibility: Visibility) => join(dataDir, `${visibility}.sqlite`);
