import type { Database } from 'bun:sqlite';
import { openPages } from '../recovery/page-source.ts';
import { failureOf } from './fault.ts';

/**
 * Throws the first damage that SQLite finds in a file, with a code of {@link isDamage}. Each table is examined by itself, so
 * that the write-ahead log can be emptied in between.
 */
export function examineFile(database: Database): void {
  const tables = database.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of [{ name: 'sqlite_schema' }, ...tables]) quickCheck(database, `"${name}"`);
  // Only an examination of the whole includes the free pages. They are read beside the writers, so a fault is confirmed.
  if (!isFreeListSound(database.filename)) quickCheck(database, '1');
}

function quickCheck(database: Database, what: string): void {
  const found = database.query<{ quick_check: string }, []>(`pragma quick_check(${what})`).get()?.quick_check;
  if (found !== 'ok') throw failureOf(found ?? 'quick_check gave no answer', 'SQLITE_CORRUPT');
}

/** Offsets in the header of the file: the first page of the list of free pages, and their number. */
const FIRST_FREE = 32;
const FREE_PAGES = 36;

/** Follows the list of free pages (https://sqlite.org/fileformat2.html#the_freelist). */
function isFreeListSound(path: string): boolean {
  using source = openPages(path);
  const header = source.read(1);
  if (header === null) return false;
  let left = header.readUInt32BE(FREE_PAGES);
  for (let trunk = header.readUInt32BE(FIRST_FREE); trunk !== 0; ) {
    const page = trunk <= source.pages ? source.read(trunk) : null;
    const leaves = page?.readUInt32BE(4) ?? Number.POSITIVE_INFINITY;
    if (page === null || leaves > source.usableBytes / 4 - 2 || leaves + 1 > left) return false;
    for (let leaf = 0; leaf < leaves; leaf++) if (page.readUInt32BE(8 + 4 * leaf) > source.pages) return false;
    left -= leaves + 1;
    trunk = page.readUInt32BE(0);
  }
  return left === 0;
}
