import { closeSync, openSync, readSync } from 'node:fs';
import { PAGE_BYTES } from '../file/create-log.ts';

/** Lengths of the headers of a write-ahead log and of a frame (https://sqlite.org/fileformat2.html#walformat). */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** First bytes of a write-ahead log; the last bit says if its checksums are big-endian. */
const MAGIC = 0x37_7f_06_82;

/** Pages of a write-ahead log. */
interface WalPages {
  /** Offset of the latest content of each page. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Length of the database file after the last commit, in pages; 0 if there is none. */
  readonly pages: number;
}

/**
 * Finds the latest committed content of each page. SQLite ends at the first damaged frame; here only that frame is left out,
 * since each has the checksum from which the next one continues.
 */
function readWalPages(wal: OpenBytes, pageBytes: number): WalPages {
  const offsets = new Map<number, number>();
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const header = wal.read(0, HEADER_BYTES);
  const isSound = header !== null && (header.readUInt32BE(0) & ~1) === MAGIC;
  const isBigEndian = isSound && (header.readUInt32BE(0) & 1) === 1;
  let salts = isSound ? header.subarray(16, 24) : null;
  let seed: Checksum | null = isSound ? [header.readUInt32BE(24), header.readUInt32BE(28)] : null;
  let uncommitted = new Map<number, number>();
  let pages = 0;
  let endsDamaged = false;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.bytes; at += frameBytes) {
    const frame = wal.read(at, frameBytes);
    if (frame === null) {
      [seed, endsDamaged] = [null, true];
      continue;
    }
    salts ??= Buffer.from(frame.subarray(8, 16));
    const found: Checksum = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const isValid = seed === null || isEqual(checksum(frame, seed, isBigEndian), found);
    // A frame of an earlier round, which the present one has not overwritten yet.
    if (!frame.subarray(8, 16).equals(salts)) {
      if (!hasSaltsLater(wal, at + frameBytes, frameBytes, salts)) break;
      [seed, endsDamaged] = [found, true];
      continue;
    }
    seed = found;
    endsDamaged = !isValid;
    if (!isValid) continue;
    uncommitted.set(frame.readUInt32BE(0), at + FRAME_HEADER_BYTES);
    const size = frame.readUInt32BE(4);
    if (size === 0) continue;
    pages = size;
    for (const [page, offset] of uncommitted) offsets.set(page, offset);
    uncommitted = new Map();
  }
  // The frame that committed them may be the one that is damaged.
  if (endsDamaged) for (const [page, offset] of uncommitted) offsets.set(page, offset);
  return { offsets, pages: Math.max(pages, endsDamaged ? Math.max(0, ...offsets.keys()) : 0) };
}

type Checksum = readonly [number, number];

function isEqual([a, b]: Checksum, [c, d]: Checksum): boolean {
  return a === c && b === d;
}

/** Returns true if the next frame is one of this round: then the one before is damaged, not of an earlier round. */
function hasSaltsLater(wal: OpenBytes, at: number, frameBytes: number, salts: Buffer): boolean {
  if (at + frameBytes > wal.bytes) return false;
  return wal.read(at + 8, 8)?.equals(salts) ?? false;
}

/** Returns the checksum of a frame: of the first half of its header, and of its page. */
function checksum(frame: Buffer, [first, second]: Checksum, isBigEndian: boolean): Checksum {
  const word = (at: number) => (isBigEndian ? frame.readUInt32BE(at) : frame.readUInt32LE(at));
  let [a, b] = [first, second];
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 8) {
      a = (a + word(at) + b) >>> 0;
      b = (b + word(at + 4) + a) >>> 0;
    }
  };
  add(0, 8);
  add(FRAME_HEADER_BYTES, frame.length);
  return [a, b];
}

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

/** A file that is read at positions. */
interface OpenBytes {
  readonly bytes: number;
  /** Returns bytes, padded with zeros at the end of the file; null if the disk cannot read them, or there are none. */
  read(at: number, length: number): Buffer | null;
  close(): void;
}

/** Opens a file for reading; null if there is none, or if it cannot be read. */
function openBytes(path: string): OpenBytes | null {
  try {
    const descriptor = openSync(path, 'r');
    return {
      bytes: Bun.file(path).size,
      read(at, length) {
        const buffer = Buffer.alloc(length);
        try {
          return readSync(descriptor, buffer, 0, length, at) > 0 ? buffer : null;
        } catch {
          return null;
        }
      },
      close: () => closeSync(descriptor),
    };
  } catch {
    return null;
  }
}
