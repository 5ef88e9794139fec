import { formatCidr, type IpAddress, parseIp, prefixOf, unmapIp } from '#src/core/base/addresses/ip.ts';
import { FNV_BASIS, fnvStep } from '#src/core/base/fnv.ts';
import { type Host, MAX_NAME_LENGTH, suffixStarts } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { createFactTable, type EntryFacts, type FactTable, type PackedColumn } from './entry-facts.ts';
import { createEntryKeys, type EntryKeys, openEntryKeys, type PackedKeys, SCHEME } from './entry-keys.ts';
import { mayCover } from './may-cover.ts';
import { narrowestUrl } from './narrowest-url.ts';

/** The entry of a list that covers a target. */
export interface EntryMatch {
  /** In the format of `writeStoredEntry`. */
  readonly entry: string;
  /** Its line in what was imported, counted from 1. */
  readonly line: number;
  /** Time of its addition to the list, in milliseconds since the Unix epoch. */
  readonly addedAtMs: number;
  readonly isException: boolean;
  /** The larger, the fewer URLs it covers: a URL before a host, and that before a block; the longer before the shorter. */
  readonly narrowness: number;
}

/** The entries of one list, in as little memory as their text takes and 16 to 24 bytes each. */
export interface EntryTable {
  readonly size: number;
  /**
   * Adds the entry that `writeStoredEntry` wrote between two places of `bytes`; its number, or that of the one before that
   * covers the same, which stays as it is.
   */
  add(bytes: Uint8Array, from: number, to: number, facts: EntryFacts): number;
  /** The narrowest entry that covers `target` and has not expired; about a microsecond. */
  find(target: Target, nowMs: number): EntryMatch | null;
  /**
   * Returns false only if no entry covers the URL between two places of `bytes`, which is in the notation of the platform.
   * Makes no objects: a mail may have a hundred thousand links.
   */
  mayCover(bytes: Uint8Array, from: number, to: number): boolean;
  /** Returns the facts of an entry by its text; null if there is no such entry. */
  factsOf(entry: string): EntryFacts | null;
  /** Returns the content, to be handed to another thread, for {@link openEntryTable}. */
  pack(): PackedTable;
}

/** Content of an {@link EntryTable}: numbers and buffers. */
export interface PackedTable {
  readonly keys: PackedKeys;
  readonly facts: readonly PackedColumn[];
}

/** Narrowness begins here for each kind; no host or URL is as long as what lies between. */
const [OF_HOSTS, OF_URLS] = [1000, 3000];

/** Makes a table, with room for `count` entries whose texts have `bytes` together; it grows beyond. */
export function createEntryTable(count = 0, bytes = 0): EntryTable {
  return tableOver(createEntryKeys(count, bytes), createFactTable(count));
}

/** Opens a table on its content, to which nothing is added. */
export function openEntryTable({ keys, facts }: PackedTable): EntryTable {
  return tableOver(openEntryKeys(keys), createFactTable(keys.texts.size, facts));
}

function tableOver(keys: EntryKeys, facts: FactTable): EntryTable {
  function matchOf(number: number, entry: string, narrowness: number): EntryMatch {
    const { line, addedAt, isException } = facts.at(number);
    return { entry, line, addedAtMs: addedAt * 1000, isException, narrowness };
  }

  const holds = (number: number, now: number) => number >= 0 && facts.expiresAt(number) > now;

  function findUrl(target: Target, now: number): EntryMatch | null {
    const found = narrowestUrl(target, keys, (number) => holds(number, now));
    return found && matchOf(found.number, `${SCHEME}${found.text}`, OF_URLS + found.narrowness);
  }

  function findHost(host: Host, now: number): EntryMatch | null {
    const { text } = host;
    const starts = suffixStarts(host);
    let found = -1;
    let start = 0;
    let hash = FNV_BASIS;
    for (let at = text.length - 1, next = starts.length - 1; next >= 0; at--) {
      hash = fnvStep(hash, text.charCodeAt(at));
      if (at !== starts[next]) continue;
      const number = keys.texts.find(text, at, text.length, 0, hash);
      if (holds(number, now)) {
        found = number;
        start = at;
      }
      next--;
    }
    if (found === -1) return null;
    return matchOf(found, text.slice(start), OF_HOSTS + Math.min(text.length - start, MAX_NAME_LENGTH));
  }

  function findBlock(address: IpAddress, now: number): EntryMatch | null {
    for (const bits of keys.blockBits) {
      if (bits > (address.family === 4 ? 32 : 128)) continue;
      const entry = formatCidr(prefixOf(address, bits));
      const number = keys.numberOf(entry);
      if (holds(number, now)) return matchOf(number, entry, bits);
    }
    return null;
  }

  return {
    get size() {
      return keys.size;
    },
    add(given, from, to, known) {
      const before = keys.size;
      const number = keys.add(given, from, to);
      if (keys.size > before) facts.put(number, known);
      return number;
    },
    find(target, nowMs) {
      const now = Math.floor(nowMs / 1000);
      const found = findUrl(target, now) ?? findHost(target.host, now);
      if (found || keys.blockBits.length === 0 || target.host.kind === 'name') return found;
      const address = parseIp(target.host.text);
      return address && findBlock(unmapIp(address), now);
    },
    mayCover: (bytes, from, to) => mayCover(keys, bytes, from, to),
    pack: () => ({ keys: keys.pack(), facts: facts.pack() }),
    factsOf(entry) {
      const number = keys.numberOf(entry);
      return number === -1 ? null : facts.at(number);
    },
  };
}
