/** Facts of an entry besides its text. Times are seconds since the Unix epoch. */
export interface EntryFacts {
  readonly line: number;
  readonly addedAt: number;
  /** {@link NEVER} for one that does not expire. */
  readonly expiresAt: number;
  readonly isException: boolean;
}

/** Expiry of an entry that does not expire, in seconds. */
export const NEVER = 0xffffffff;

/** The highest bit of the line marks an exception: no file has so many lines. */
const EXCEPTION = 0x80000000;

/** Facts of entries by their numbers, in 4 to 12 bytes each. */
export interface FactTable {
  put(number: number, facts: EntryFacts): void;
  at(number: number): EntryFacts;
  expiresAt(number: number): number;
  /** Returns the content for {@link createFactTable}. */
  pack(): readonly PackedColumn[];
}

/** Numbers of 32 bits, one for each entry; while all are the same, they take no room. */
export interface PackedColumn {
  readonly values: Uint32Array<ArrayBuffer> | null;
  readonly usual: number | null;
}

/** Makes a table, with room for `count` entries; it grows beyond. */
export function createFactTable(count: number, packed: readonly PackedColumn[] = []): FactTable {
  const lines = createColumn(count, packed[0]);
  const added = createColumn(count, packed[1]);
  const expiring = createColumn(count, packed[2]);
  return {
    pack: () => [lines, added, expiring].map((column) => column.pack()),
    put(number, { line, addedAt, expiresAt, isException }) {
      lines.put(number, isException ? (line | EXCEPTION) >>> 0 : line);
      added.put(number, addedAt);
      expiring.put(number, expiresAt);
    },
    at(number) {
      const line = lines.at(number);
      return {
        line: line & ~EXCEPTION,
        addedAt: added.at(number),
        expiresAt: expiring.at(number),
        isException: line >= EXCEPTION,
      };
    },
    expiresAt: expiring.at,
  };
}

interface Column {
  put(number: number, value: number): void;
  at(number: number): number;
  pack(): PackedColumn;
}

function createColumn(count: number, packed: PackedColumn = { values: null, usual: null }): Column {
  let { values, usual } = packed;
  return {
    pack: () => ({ values, usual }),
    put(number, value) {
      usual ??= value;
      if (values === null && value === usual) return;
      values ??= new Uint32Array(Math.max(count, number + 1)).fill(usual);
      if (number >= values.length) values = larger(values, usual);
      values[number] = value;
    },
    at: (number) => values?.[number] ?? usual ?? 0,
  };
}

function larger(old: Uint32Array, usual: number): Uint32Array<ArrayBuffer> {
  const room = new Uint32Array(2 * old.length + 8).fill(usual);
  room.set(old);
  return room;
}
