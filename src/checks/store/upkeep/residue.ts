import { fstatSync, readSync, writeSync } from 'node:fs';

/**
 * SQLite leaves copies of rows that it moved in the unused space between a page's pointers and its cells, even with
 * `secure_delete`. For the layout see https://sqlite.org/fileformat2.html#b_tree_pages.
 */
const FILE_HEADER_BYTES = 100;

/** Header length of a B-tree page, by its first byte. */
const HEADER_BYTES = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);

/**
 * Maximum number of pages for which the first byte of other pages, the top byte of a page number, differs from that of
 * a B-tree page.
 */
const MAX_PAGES = 0x02_00_00_00;

const ZEROS = Buffer.alloc(65_536);

/** Bytes read at once. */
const BYTES_PER_READ = 8 * 1024 * 1024;

/** Pages whose unused space is not zeroed. */
export interface Residue {
  readonly pages: number[];
  /** Page to continue at; null at the end of the file. */
  readonly nextPage: number | null;
}

interface Layout {
  readonly pageBytes: number;
  readonly pages: number;
  /** Returns true for a pointer-map page (pages count from 1), which does not begin with a page number. */
  isMap(page: number): boolean;
}

interface Space {
  readonly from: number;
  readonly to: number;
}

/** Scans some pages of a database file from `fromPage` on, while it stays in use. */
export function findResidue(descriptor: number, fromPage: number): Residue {
  const layout = readLayout(descriptor);
  const count = Math.max(0, Math.min(BYTES_PER_READ / layout.pageBytes, layout.pages - fromPage + 1));
  const bytes = Buffer.alloc(count * layout.pageBytes);
  readSync(descriptor, bytes, 0, bytes.length, (fromPage - 1) * layout.pageBytes);
  const pages: number[] = [];
  for (let i = 0; i < count; i++) {
    const page = bytes.subarray(i * layout.pageBytes, (i + 1) * layout.pageBytes);
    if (unusedSpace(layout, fromPage + i, page)) pages.push(fromPage + i);
  }
  return { pages, nextPage: fromPage + count > layout.pages ? null : fromPage + count };
}

/**
 * Zeroes the unused space of pages. Only for the holder of the write lock, with a fully checkpointed write-ahead log.
 */
export function wipeResidue(descriptor: number, pages: readonly number[]): void {
  const layout = readLayout(descriptor);
  const bytes = Buffer.alloc(layout.pageBytes);
  for (const page of pages) {
    const start = (page - 1) * layout.pageBytes;
    if (page > layout.pages || readSync(descriptor, bytes, 0, bytes.length, start) < bytes.length) continue;
    const space = unusedSpace(layout, page, bytes);
    if (space) writeSync(descriptor, ZEROS, 0, space.to - space.from, start + space.from);
  }
}

function readLayout(descriptor: number): Layout {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  readSync(descriptor, header, 0, header.length, 0);
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const usableBytes = pageBytes - header.readUInt8(20);
  const hasMap = header.readUInt32BE(52) > 0;
  const pages = Math.floor(fstatSync(descriptor).size / pageBytes);
  if (pages >= MAX_PAGES) throw new Error(`a file of ${pages} pages is too long to be scanned`);
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

/** Returns the unused space of a page if it is not zeroed. The first page holds only the schema. */
function unusedSpace(layout: Layout, number: number, page: Buffer): Space | null {
  const headerBytes = HEADER_BYTES.get(page[0] ?? 0);
  if (headerBytes === undefined || number === 1 || layout.isMap(number)) return null;
  const from = headerBytes + 2 * page.readUInt16BE(3);
  const to = page.readUInt16BE(5) || 65_536;
  if (from >= to || to > page.length) return null;
  return page.subarray(from, to).equals(ZEROS.subarray(from, to)) ? null : { from, to };
}
