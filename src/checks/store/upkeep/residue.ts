import { fstatSync, readSync, writeSync } from 'node:fs';

/**
 * Where SQLite moves rows to another page, copies of them stay behind in the room between the pointers of a page and its
 * cells, also with `secure_delete`. Where to find that room says https://sqlite.org/fileformat2.html#b_tree_pages.
 */
const FILE_HEADER_BYTES = 100;

/** The length of the header of a page of a tree, by the page's first byte. */
const HEADER_BYTES = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);

/** Every other page begins with the number of a page, whose first byte is that of no page of a tree below this one. */
const MAX_PAGES = 0x02_00_00_00;

const NOTHING = Buffer.alloc(65_536);

/** So much of a file is looked at in one go. */
const BYTES_A_LOOK = 8 * 1024 * 1024;

/** Pages of which unused room is not empty. */
export interface Remains {
  readonly pages: number[];
  /** Where to look on; null at the end of the file. */
  readonly nextPage: number | null;
}

interface Layout {
  readonly pageBytes: number;
  readonly pages: number;
  /** Whether a page, counted from 1, is one of a map of others, which begins with no page's number. */
  isMap(page: number): boolean;
}

interface Room {
  readonly from: number;
  readonly to: number;
}

/** Looks at some pages of a database file, from `fromPage` on, beside whatever goes on in it. */
export function findRemains(descriptor: number, fromPage: number): Remains {
  const layout = readLayout(descriptor);
  const count = Math.max(0, Math.min(BYTES_A_LOOK / layout.pageBytes, layout.pages - fromPage + 1));
  const bytes = Buffer.alloc(count * layout.pageBytes);
  readSync(descriptor, bytes, 0, bytes.length, (fromPage - 1) * layout.pageBytes);
  const pages: number[] = [];
  for (let i = 0; i < count; i++) {
    const page = bytes.subarray(i * layout.pageBytes, (i + 1) * layout.pageBytes);
    if (unusedRoom(layout, fromPage + i, page)) pages.push(fromPage + i);
  }
  return { pages, nextPage: fromPage + count > layout.pages ? null : fromPage + count };
}

/**
 * Overwrites the unused room of the pages with zeros. Only for who holds the lock for writing, while nothing is left to be
 * moved from the write-ahead log into the file.
 */
export function wipeRemains(descriptor: number, pages: readonly number[]): void {
  const layout = readLayout(descriptor);
  const bytes = Buffer.alloc(layout.pageBytes);
  for (const page of pages) {
    const start = (page - 1) * layout.pageBytes;
    if (page > layout.pages || readSync(descriptor, bytes, 0, bytes.length, start) < bytes.length) continue;
    const room = unusedRoom(layout, page, bytes);
    if (room) writeSync(descriptor, NOTHING, 0, room.to - room.from, start + room.from);
  }
}

function readLayout(descriptor: number): Layout {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  readSync(descriptor, header, 0, header.length, 0);
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const usableBytes = pageBytes - header.readUInt8(20);
  const hasMap = header.readUInt32BE(52) > 0;
  const pages = Math.floor(fstatSync(descriptor).size / pageBytes);
  if (pages >= MAX_PAGES) throw new Error(`a file of ${pages} pages is too long to be looked through`);
  const pagesOfMap = Math.floor(usableBytes / 5) + 1;
  const lockPage = 2 ** 30 / pageBytes + 1;
  return {
    pageBytes,
    pages,
    isMap(page) {
      const map = page - ((page - 2) % pagesOfMap);
      return hasMap && page === (map === lockPage ? map + 1 : map);
    },
  };
}

/** The unused room of a page where that is not empty. The first page holds the schema alone. */
function unusedRoom(layout: Layout, number: number, page: Buffer): Room | null {
  const headerBytes = HEADER_BYTES.get(page[0] ?? 0);
  if (headerBytes === undefined || number === 1 || layout.isMap(number)) return null;
  const from = headerBytes + 2 * page.readUInt16BE(3);
  const to = page.readUInt16BE(5) || 65_536;
  if (from >= to || to > page.length) return null;
  return page.subarray(from, to).equals(NOTHING.subarray(from, to)) ? null : { from, to };
}
