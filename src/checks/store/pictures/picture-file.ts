import { eq, lte, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import picturesSql from '../../../../drizzle/pictures/0000_pictures.sql' with { type: 'text' };
import { pagesIn } from '../file/create-log.ts';
import { asStoreError, isDamage, writeFailure } from '../file/fault.ts';
import { openExpendableFile } from '../file/open-side-file.ts';
import { pictures } from './picture-schema.ts';

/** The pictures of one log in a file. Its calls throw StoreError. */
export interface PictureFile extends Disposable {
  readonly path: string;
  /** Bytes of all pictures. */
  readonly bytes: number;
  /** True once a call has found damage. */
  readonly isDamaged: boolean;
  insert(requestId: string, webp: Uint8Array, nowMs: number): void;
  has(requestId: string): boolean;
  find(requestId: string): Buffer | null;
  /** Removes the picture of a check. Returns false if there is none. */
  remove(requestId: string): boolean;
  /** Removes the oldest picture if all have more than `bytes`, or it was taken before `beforeMs`. Returns false if not. */
  removeOldest(bytes: number, beforeMs: number): boolean;
  /** Returns a few free pages to the system. Returns false if there are none. */
  shorten(): boolean;
  /** Ids of all checks with a picture that was taken by `untilMs`. */
  ids(untilMs: number): readonly string[];
}

const MIGRATIONS = [{ name: '0000_pictures', sql: picturesSql }];

/** Free pages that one step returns: as many as a picture or two had. */
const PAGES_PER_STEP = pagesIn(512 * 1024);

/** Opens a file of pictures, and creates it if missing. Deleted pictures are overwritten. Throws StoreError. */
export function openPictureFile(path: string, nowMs: number): PictureFile {
  const database = openExpendableFile(path, nowMs, MIGRATIONS);
  const db = drizzle(database);
  let isDamaged = false;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      isDamaged ||= isDamage(error);
      throw asStoreError(path, writeFailure(path, error));
    }
  };
  const { requestId: id, takenAtMs, bytes, webp } = pictures;
  const total = db
    .select({ bytes: sum(bytes).mapWith(Number) })
    .from(pictures)
    .get();
  let used = total?.bytes ?? 0;

  const remove = (requestId: string): boolean => {
    const row = db.delete(pictures).where(eq(id, requestId)).returning({ bytes }).get();
    used -= row?.bytes ?? 0;
    return row !== undefined;
  };

  return {
    path,
    get bytes() {
      return used;
    },
    get isDamaged() {
      return isDamaged;
    },
    insert: (requestId, file, nowMs) =>
      attempt(() => {
        const row = { requestId, takenAtMs: nowMs, bytes: file.length, webp: Buffer.from(file) };
        if (db.insert(pictures).values(row).onConflictDoNothing().returning({ bytes }).get()) used += file.length;
      }),
    has: (requestId) => attempt(() => db.select({ bytes }).from(pictures).where(eq(id, requestId)).get() !== undefined),
    find: (requestId) => attempt(() => db.select({ webp }).from(pictures).where(eq(id, requestId)).get()?.webp ?? null),
    remove: (requestId) => attempt(() => remove(requestId)),
    removeOldest: (most, beforeMs) =>
      attempt(() => {
        const oldest = db.select({ id, takenAtMs }).from(pictures).orderBy(takenAtMs).limit(1).get();
        return oldest !== undefined && (used > most || oldest.takenAtMs < beforeMs) && remove(oldest.id);
      }),
    shorten: () => attempt(() => database.query(`pragma incremental_vacuum(${PAGES_PER_STEP})`).all().length > 0),
    ids: (untilMs) =>
      attempt(() => db.select({ id }).from(pictures).where(lte(takenAtMs, untilMs)).all()).map((row) => row.id),
    [Symbol.dispose]: () => database.close(),
  };
}
