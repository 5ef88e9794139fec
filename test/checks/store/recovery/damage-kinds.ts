import { Database } from 'bun:sqlite';
import { closeSync, fstatSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';
import { PAGE_BYTES } from '#src/checks/store/file/create-log.ts';

/** Changes bytes of a file. */
function change(path: string, at: number, bytes: (old: Buffer) => Buffer, length: number): void {
  const file = openSync(path, 'r+');
  const old = Buffer.alloc(length);
  readSync(file, old, 0, length, at);
  writeSync(file, bytes(old), 0, length, at);
  closeSync(file);
}

/** Returns the numbers of the pages of a table or an index, by their kind in `dbstat`. */
function pagesOf(path: string, name: string, kind: 'leaf' | 'internal' | 'overflow'): number[] {
  using database = new Database(path, { readwrite: true });
  database.query('pragma wal_checkpoint(truncate)').all();
  return database
    .query<{ pageno: number }, [string, string]>(
      'select pageno from dbstat where name = ? and pagetype = ? order by pageno',
    )
    .all(name, kind)
    .map(({ pageno }) => pageno);
}

function middle<T>(items: readonly T[]): T {
  const item = items[Math.floor(items.length / 2)];
  if (item === undefined) throw new Error('the file has no such page');
  return item;
}

const scratched = (page: number) => (path: string) =>
  change(path, (page - 1) * PAGE_BYTES, (old) => Buffer.alloc(old.length, 0xff), PAGE_BYTES);

const zeroed = (page: number) => (path: string) =>
  change(path, (page - 1) * PAGE_BYTES, (old) => Buffer.alloc(old.length), PAGE_BYTES);

/** Inverts bits at the beginning of a page, where its header and pointers are. */
const flipped = (page: number) => (path: string) =>
  change(path, (page - 1) * PAGE_BYTES, (old) => Buffer.from(old.map((byte) => byte ^ 0x41)), 24);

/** Kinds of damage, and the most checks that each may cost. The file has 3,000, of which about 20 share a page. */
export const DAMAGE: Readonly<Record<string, readonly [harm: (path: string) => void, most: number]>> = {
  'a zeroed leaf of the checks': [(path) => zeroed(middle(pagesOf(path, 'checks', 'leaf')))(path), 60],
  'flipped bits in a leaf of the checks': [(path) => flipped(middle(pagesOf(path, 'checks', 'leaf')))(path), 60],
  'a zeroed inner page of the checks': [(path) => zeroed(middle(pagesOf(path, 'checks', 'internal')))(path), 0],
  'flipped bits in an inner page': [(path) => flipped(middle(pagesOf(path, 'checks', 'internal')))(path), 0],
  'a scratched overflow page': [(path) => scratched(middle(pagesOf(path, 'checks', 'overflow')))(path), 0],
  'a zeroed leaf of the index': [(path) => zeroed(middle(pagesOf(path, 'checks_by_decision', 'leaf')))(path), 0],
  'a scratched page of the domains': [(path) => scratched(middle(pagesOf(path, 'check_domains', 'overflow')))(path), 0],
  'a zeroed first page': [zeroed(1), 0],
  'a zeroed page map': [zeroed(2), 0],
  'overwritten free space of a leaf': [
    (path) => {
      const at = (middle(pagesOf(path, 'checks', 'leaf')) - 1) * PAGE_BYTES + 288;
      change(path, at, (old) => Buffer.alloc(old.length, 0xa5), 3000);
    },
    60,
  ],
  'a file that is cut to half': [
    (path) => {
      pagesOf(path, 'checks', 'leaf');
      const file = openSync(path, 'r');
      const { size } = fstatSync(file);
      closeSync(file);
      truncateSync(path, Math.floor(size / 2));
    },
    1700,
  ],
};
