/** What is known of an entry beside its text. Times are seconds since the Unix epoch. */
export interface EntryFacts {
  readonly line: number;
  readonly addedAt: number;
  /** {@link NEVER} for one that does not expire. */
  readonly expiresAt: number;
  readonly isException: boolean;
}

/** When an entry expires that does not, in seconds. */
export const NEVER = 0xffffffff;

/** The highest bit of the line says whether it is an exception: no file has so many lines. */
const EXCEPTION = 0x80000000;

/** What is known of entries, by their numbers, in 12 bytes each. */
export interface FactTable {
  put(number: number, facts: EntryFacts): void;
  at(number: number): EntryFacts;
  expiresAt(number: number): number;
}

/** Makes a table, with room for `count` entries; it grows beyond. */
export function createFactTable(count: number): FactTable {
  let lines = new Uint32Array(count);
  let added = new Uint32Array(count);
  let expiring = new Uint32Array(count);
  return {
    put(number, { line, addedAt, expiresAt, isException }) {
      if (number >= lines.length) [lines, added, expiring] = [larger(lines), larger(added), larger(expiring)];
      lines[number] = isException ? (line | EXCEPTION) >>> 0 : line;
      added[number] = addedAt;
      expiring[number] = expiresAt;
    },
    at(number) {
      const line = lines[number] ?? 0;
      return {
        line: line & ~EXCEPTION,
        addedAt: added[number] ?? 0,
        expiresAt: expiring[number] ?? 0,
        isException: line >= EXCEPTION,
      };
    },
    expiresAt: (number) => expiring[number] ?? 0,
  };
}

function larger(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const room = new Uint32Array(2 * old.length + 8);
  room.set(old);
  return room;
}
