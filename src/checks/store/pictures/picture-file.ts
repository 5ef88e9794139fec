import { count, eq, inArray, lt, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import picturesSql from '../../../../drizzle/pictures/0000_pictures.sql' with { type: 'text' };
import { createLog } from '../file/create-log.ts';
import { openDatabase } from '../file/database.ts';
import { asStoreError } from '../file/fault.ts';
import { migrate } from '../file/migrate.ts';
import { writeFailure } from '../file/write-failure.ts';
import { pictures } from './picture-schema.ts';

/** The pictures of one log in a file. Its calls throw StoreError. */
export interface PictureFile extends Disposable {
  readonly path: string;
  /** Bytes of all pictures. */
  readonly bytes: number;
  insert(requestId: string, webp: Uint8Array, nowMs: number): void;
  has(requestId: string): boolean;
  find(requestId: string): Buffer | null;
  /** Removes pictures by the id of their check. Returns how many there were. */
  remove(requestIds: readonly string[]): number;
  /** Removes the oldest pictures until the others have at most `bytes`, and those taken before `beforeMs`. Returns how many. */
  bound(bytes: number, beforeMs: number): number;
  /** Ids of all checks with a picture. */
  ids(): readonly string[];
}

const MIGRATIONS = [{ name: '0000_pictures', sql: picturesSql }];

/** Pictures that one step removes beyond the bounds. */
const ROWS_PER_STEP = 20;

/** Opens a file of pictures, and creates it if missing. Deleted pictures are overwritten. Throws StoreError. */
export function openPictureFile(path: string, nowMs: number): PictureFile {
  createLog(path, nowMs, MIGRATIONS);
  const database = openDatabase(path);
  const db = drizzle(database);
  try {
    // A picture that a power failure takes is no loss.
    database.run('pragma synchronous = normal');
    migrate(database, { nowMs, mayUpgrade: true, backUp: () => {}, migrations: MIGRATIONS });
  } catch (error) {
    database.close();
    throw asStoreError(path, error);
  }
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asStoreError(path, writeFailure(path, error));
    }
  };
  const { requestId: id, takenAtMs, bytes, webp } = pictures;
  const [total] = db
    .select({ bytes: sum(bytes).mapWith(Number), rows: count() })
    .from(pictures)
    .all();
  let used = total?.bytes ?? 0;

  const removed = (rows: readonly { readonly bytes: number }[]): number => {
    for (const row of rows) used -= row.bytes;
    if (rows.length > 0) database.query('pragma incremental_vacuum').all();
    return rows.length;
  };
  const removeOldest = (): number => {
    const oldest = db.select({ id }).from(pictures).orderBy(takenAtMs).limit(ROWS_PER_STEP);
    return removed(db.delete(pictures).where(inArray(id, oldest)).returning({ bytes }).all());
  };

  return {
    path,
    get bytes() {
      return used;
    },
    insert: (requestId, file, nowMs) =>
      attempt(() => {
        const row = { requestId, takenAtMs: nowMs, bytes: file.length, webp: Buffer.from(file) };
        if (db.insert(pictures).values(row).onConflictDoNothing().returning({ bytes }).get()) used += file.length;
      }),
    has: (requestId) => attempt(() => db.select({ bytes }).from(pictures).where(eq(id, requestId)).get() !== undefined),
    find: (requestId) => attempt(() => db.select({ webp }).from(pictures).where(eq(id, requestId)).get()?.webp ?? null),
    remove: (requestIds) =>
      attempt(() =>
        removed(
          db
            .delete(pictures)
            .where(inArray(id, [...requestIds]))
            .returning({ bytes })
            .all(),
        ),
      ),
    bound: (most, beforeMs) =>
      attempt(() => {
        let gone = removed(db.delete(pictures).where(lt(takenAtMs, beforeMs)).returning({ bytes }).all());
        while (used > most) {
          const some = removeOldest();
          if (some === 0) break;
          gone += some;
        }
        return gone;
      }),
    ids: () => attempt(() => db.select({ id }).from(pictures).all()).map((row) => row.id),
    [Symbol.dispose]: () => database.close(),
  };
}
