/** A storage of a compound file (MS-CFB): its streams, and the storages within it. */
export interface Storage {
  readonly storages: ReadonlyMap<string, Storage>;
  /** Returns a stream; null if there is none of this name. */
  stream(name: string): Uint8Array<ArrayBuffer> | null;
  readonly streamNames: readonly string[];
}

const MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Marks of sectors and entries that follow none (§2.1). */
const LAST_SECTOR = 0xfffffffa;
const NO_ENTRY = 0xffffffff;

/** Places of the header (§2.2) and of an entry of the directory (§2.6.1). */
const HEADER = {
  sectorShift: 30,
  miniShift: 32,
  directory: 48,
  cutoff: 56,
  miniFat: 60,
  difat: 68,
  fat: 76,
  fatEnd: 512,
};
const ENTRY = { size: 128, nameLength: 64, kind: 66, left: 68, right: 72, child: 76, start: 116, length: 120 };

/** Kinds of entries. */
const [STORAGE, STREAM] = [1, 2] as const;

/** Maximum number of entries, nesting of storages, and how often a byte is read, on average. */
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 12;
const MAX_READINGS = 3;

/** Returns true for a compound file, which Outlook's messages and older Office documents are. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return bytes.length > HEADER.fatEnd && MAGIC.every((one, at) => bytes[at] === one);
}

/**
 * Opens a compound file; `isWhole` is false once a part of it was not read. Never throws; chains that lead in a circle
 * end at the number of sectors.
 */
export function openCompoundFile(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorSize = 1 << Math.min(Math.max(view.getUint16(HEADER.sectorShift, true), 9), 12);
  const miniSize = 1 << Math.min(Math.max(view.getUint16(HEADER.miniShift, true), 6), 9);
  const sectors = Math.ceil(bytes.length / sectorSize);
  let left = MAX_READINGS * bytes.length;
  let isWhole = true;

  const sector = (number: number) => bytes.subarray((number + 1) * sectorSize, (number + 2) * sectorSize);
  const fat = tableOf(fatSectors());
  const directory = chained(word(HEADER.directory), fat, sector);
  const miniFat = tableOf([chained(word(HEADER.miniFat), fat, sector)]);
  const entries = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const mini = chained(entryWord(0, ENTRY.start), fat, sector);
  const miniSector = (number: number) => mini.subarray(number * miniSize, (number + 1) * miniSize);
  const seen = new Set<number>();
  const root = storage(0, 0);
  return {
    root,
    get isWhole() {
      return isWhole;
    },
  };

  function word(at: number): number {
    return wordAt(view, at);
  }

  function entryWord(entry: number, at: number): number {
    return wordAt(entries, entry * ENTRY.size + at);
  }

  /** The sectors with the table of all sectors: named in the header, then in a chain of their own (§2.5). */
  function fatSectors(): Uint8Array<ArrayBuffer>[] {
    const numbers: number[] = [];
    for (let at = HEADER.fat; at < HEADER.fatEnd; at += 4) numbers.push(word(at));
    let next = word(HEADER.difat);
    for (let count = 0; next < LAST_SECTOR && count < sectors; count++) {
      const start = (next + 1) * sectorSize;
      for (let at = start; at < start + sectorSize - 4; at += 4) numbers.push(word(at));
      next = word(start + sectorSize - 4);
      if (numbers.length > sectors + sectorSize) break;
    }
    return numbers.filter((one) => one < LAST_SECTOR).map(sector);
  }

  /** Joins the sectors of a chain. */
  function chained(
    start: number,
    table: Uint32Array,
    from: (number: number) => Uint8Array<ArrayBuffer>,
    length = Infinity,
  ): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (let next = start; next < LAST_SECTOR && size < length; next = table[next] ?? LAST_SECTOR) {
      const part = from(next);
      size += part.length;
      left -= part.length;
      if (part.length === 0 || left < 0 || parts.length > table.length || table[next] === undefined) {
        isWhole = false;
        break;
      }
      parts.push(part);
    }
    if (length !== Infinity && size < length) isWhole = false;
    return joinedBytes(parts, Math.min(size, length));
  }

  function storage(entry: number, depth: number): Storage {
    const storages = new Map<string, Storage>();
    const streams = new Map<string, number>();
    const open = [entryWord(entry, ENTRY.child)];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const isKnown = seen.has(one) || one * ENTRY.size >= directory.length;
      if (one === NO_ENTRY || isKnown || seen.size > MAX_ENTRIES) continue;
      seen.add(one);
      open.push(entryWord(one, ENTRY.right), entryWord(one, ENTRY.left));
      const kind = directory[one * ENTRY.size + ENTRY.kind];
      if (kind === STREAM) streams.set(nameOf(directory, one), one);
      else if (kind === STORAGE && depth < MAX_DEPTH) storages.set(nameOf(directory, one), storage(one, depth + 1));
      else if (kind === STORAGE) isWhole = false;
    }
    return {
      storages,
      streamNames: [...streams.keys()],
      stream(name) {
        const at = streams.get(name);
        return at === undefined ? null : content(at);
      },
    };
  }

  function content(entry: number): Uint8Array<ArrayBuffer> {
    const [start, length] = [entryWord(entry, ENTRY.start), entryWord(entry, ENTRY.length)];
    return length < word(HEADER.cutoff)
      ? chained(start, miniFat, miniSector, length)
      : chained(start, fat, sector, length);
  }
}

function wordAt(view: DataView, at: number): number {
  return at + 4 <= view.byteLength ? view.getUint32(at, true) : NO_ENTRY;
}

function nameOf(directory: Uint8Array, entry: number): string {
  const start = entry * ENTRY.size;
  const length = directory[start + ENTRY.nameLength] ?? 0;
  return new TextDecoder('utf-16le').decode(directory.subarray(start, start + Math.max(0, length - 2)));
}

function joinedBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part.subarray(0, length - at), at);
    at += part.length;
  }
  return bytes;
}

/** Returns sectors as one table of numbers. */
function tableOf(parts: readonly Uint8Array[]): Uint32Array {
  const { buffer, length } = joinedBytes(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  const view = new DataView(buffer);
  return Uint32Array.from({ length: length >> 2 }, (_, index) => view.getUint32(4 * index, true));
}
