import type { OpenBytes } from './open-bytes.ts';

/** Lengths of the headers of a write-ahead log and of a frame (https://sqlite.org/fileformat2.html#walformat). */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** First bytes of a write-ahead log; the last bit says if its checksums are big-endian. */
const MAGIC = 0x37_7f_06_82;

/** Pages of a write-ahead log. */
export interface WalPages {
  /** Offset of the latest content of each page. */
  readonly offsets: ReadonlyMap<number, number>;
  /** Length of the database file after the last commit, in pages; 0 if there is none. */
  readonly pages: number;
}

/**
 * Finds the latest committed content of each page. SQLite ends at the first damaged frame; here only that frame is left out,
 * since each has the checksum from which the next one continues.
 */
export function readWalPages(wal: OpenBytes, pageBytes: number): WalPages {
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
