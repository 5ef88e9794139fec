import { PAGE_BYTES } from '../file/create-log.ts';
import { openBytes } from './open-bytes.ts';
import { readWalPages } from './wal-pages.ts';

/** Pages of a database file and its write-ahead log, whatever their state. Pages count from 1. */
export interface DatabasePages extends Disposable {
  readonly pageBytes: number;
  /** Bytes of a page that hold content. */
  readonly usableBytes: number;
  readonly pages: number;
  /** Returns a page; null if it cannot be read. */
  read(page: number): Buffer | null;
  /** Returns true if the pointer map of the file calls a page part of a B-tree, or cannot be read. */
  mayBeBTree(page: number): boolean;
}

const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 65_536;

/** Kinds of pages in the pointer map: the root of a B-tree, and its other pages. */
const B_TREE_KINDS: readonly number[] = [1, 5];

/** Bytes per entry of the pointer map: a kind, and the number of the parent. */
const ENTRY_BYTES = 5;

/**
 * Opens a damaged database file with what its write-ahead log still has. Neither is changed, and SQLite, which would refuse
 * both, is not used. A missing file has no pages.
 */
export function openPages(path: string): DatabasePages {
  const file = openBytes(path);
  const header = file?.read(0, 100) ?? Buffer.alloc(100);
  const wal = openBytes(`${path}-wal`);
  const walHeader = wal?.read(0, 32) ?? Buffer.alloc(32);
  const sizes = [header.readUInt16BE(16), walHeader.readUInt32BE(8)].map((bytes) =>
    bytes === 1 ? MAX_PAGE_BYTES : bytes,
  );
  const pageBytes = sizes.find(isPageSize) ?? PAGE_BYTES;
  const { offsets, pages: walled } = wal
    ? readWalPages(wal, pageBytes)
    : { offsets: new Map<number, number>(), pages: 0 };
  const pages = walled || Math.ceil((file?.bytes ?? 0) / pageBytes);
  // The log reserves no bytes, and a damaged header must not say otherwise.
  const perMap = Math.floor(pageBytes / ENTRY_BYTES) + 1;
  const lockPage = 2 ** 30 / pageBytes + 1;
  const maps = new Map<number, Buffer | null>();

  function read(page: number): Buffer | null {
    const at = offsets.get(page);
    return at === undefined
      ? (file?.read((page - 1) * pageBytes, pageBytes) ?? null)
      : (wal?.read(at, pageBytes) ?? null);
  }

  function mapOf(page: number): number {
    const map = page - ((page - 2) % perMap);
    return map === lockPage ? map + 1 : map;
  }

  return {
    pageBytes,
    usableBytes: pageBytes,
    pages,
    read,
    mayBeBTree(page) {
      if (page < 3) return page === 1;
      const map = mapOf(page);
      if (page <= map) return false;
      const bytes = maps.has(map) ? maps.get(map) : read(map);
      if (!maps.has(map)) maps.clear();
      maps.set(map, bytes ?? null);
      const kind = bytes?.[ENTRY_BYTES * (page - map - 1)] ?? 0;
      return kind === 0 || kind > 5 || B_TREE_KINDS.includes(kind);
    },
    [Symbol.dispose]() {
      file?.close();
      wal?.close();
    },
  };
}

function isPageSize(bytes: number): boolean {
  return bytes >= MIN_PAGE_BYTES && bytes <= MAX_PAGE_BYTES && (bytes & (bytes - 1)) === 0;
}
