import { FNV_BASIS, fnvHash, fnvStep } from '#src/base/fnv.ts';
import { formatCidr, type IpAddress, parseIp, prefixOf, unmapIp } from '#src/base/ip.ts';
import { type Host, MAX_NAME_LENGTH, suffixStarts } from '#src/url/host.ts';
import type { Target } from '#src/url/target.ts';
import { createFactTable, type EntryFacts } from './entry-facts.ts';
import { createHashSet } from './hash-set.ts';
import { narrowestUrl } from './narrowest-url.ts';
import { createTextTable } from './text-table.ts';

/** The entry of a list that covers a target. */
export interface EntryMatch {
  /** As `writeKeptEntry` writes it. */
  readonly entry: string;
  /** Its line in what was imported, counted from 1. */
  readonly line: number;
  /** When it came to the list, in milliseconds since the Unix epoch. */
  readonly addedAtMs: number;
  readonly isException: boolean;
  /** The larger, the fewer URLs it covers: a URL before a host, and that before a block; the longer before the shorter. */
  readonly narrowness: number;
}

/** The entries of one list, in as little memory as their text takes and 24 bytes each. */
export interface EntryTable {
  readonly size: number;
  /**
   * Adds the entry that `writeKeptEntry` wrote between two places of `bytes`; its number, or that of the one before that
   * covers the same, which stays as it is.
   */
  add(bytes: Uint8Array, from: number, to: number, facts: EntryFacts): number;
  /** The narrowest entry that covers `target` and has not expired; about a microsecond. */
  find(target: Target, nowMs: number): EntryMatch | null;
  /** What is known of an entry by its text; null where there is none. */
  factsOf(entry: string): EntryFacts | null;
}

const SCHEME = 'http://';
const SLASH = 0x2f;

/** Narrowness begins here for each kind; no host or URL is as long as what lies between. */
const [OF_HOSTS, OF_URLS] = [1000, 3000];

/** Makes a table, with room for `count` entries whose texts have `bytes` together; it grows beyond. */
export function createEntryTable(count = 0, bytes = 0): EntryTable {
  const texts = createTextTable(count, bytes);
  const facts = createFactTable(count);
  const authorities = createHashSet();
  /** How many bits the blocks have, the most first. */
  let blockBits: number[] = [];
  /** How long beginnings are behind the host, in characters. */
  const beginnings = new Set<number>();

  function matchOf(number: number, entry: string, narrowness: number): EntryMatch {
    const { line, addedAt, isException } = facts.at(number);
    return { entry, line, addedAtMs: addedAt * 1000, isException, narrowness };
  }

  const holds = (number: number, now: number) => number >= 0 && facts.expiresAt(number) > now;

  function findUrl(target: Target, now: number): EntryMatch | null {
    const found = narrowestUrl(target, { texts, authorities, beginnings }, (number) => holds(number, now));
    return found && matchOf(found.number, `${SCHEME}${found.text}`, OF_URLS + found.narrowness);
  }

  function findHost(host: Host, now: number): EntryMatch | null {
    const { text } = host;
    const starts = suffixStarts(host);
    let found = -1;
    let start = 0;
    let hash = FNV_BASIS;
    // Hosts are hashed from behind, so that one pass is enough for all that a host lies under.
    for (let at = text.length - 1, next = starts.length - 1; next >= 0; at--) {
      hash = fnvStep(hash, text.charCodeAt(at));
      if (at !== starts[next]) continue;
      const number = texts.find(text, at, text.length, 0, hash);
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
    for (const bits of blockBits) {
      if (bits > (address.family === 4 ? 32 : 128)) continue;
      const entry = formatCidr(prefixOf(address, bits));
      const number = numberOf(keyOf(entry));
      if (holds(number, now)) return matchOf(number, entry, bits);
    }
    return null;
  }

  /** Notes what kinds of entries there are, so that the others need not be looked for. */
  function note(key: string): void {
    const slash = key.indexOf('/');
    if (slash === 0) {
      const bits = Number(key.slice(key.lastIndexOf('/') + 1));
      if (!blockBits.includes(bits)) blockBits = [...blockBits, bits].toSorted((a, b) => b - a);
    } else if (slash > 0) {
      authorities.add(fnvHash(key, 0, slash));
      if (key.endsWith('*')) beginnings.add(key.length - slash - 1);
    }
  }

  function addKey(key: string): number {
    note(key);
    return texts.add(Buffer.from(key, 'latin1'), 0, key.length, fnvHash(key));
  }

  function numberOf(key: string): number {
    const bytes = Buffer.from(key, 'latin1');
    const hash = key.includes('/') ? fnvHash(key) : hashFromBehind(bytes, 0, bytes.length);
    return texts.find(key, 0, key.length, 0, hash);
  }

  return {
    get size() {
      return texts.size;
    },
    add(given, from, to, known) {
      const before = texts.size;
      const hasSlash = given.subarray(from, to).includes(SLASH);
      const number = hasSlash
        ? addKey(keyOf(ascii(given, from, to)))
        : texts.add(given, from, to, hashFromBehind(given, from, to));
      if (texts.size > before) facts.put(number, known);
      return number;
    },
    find(target, nowMs) {
      const now = Math.floor(nowMs / 1000);
      const found = findUrl(target, now) ?? findHost(target.host, now);
      if (found || blockBits.length === 0 || target.host.kind === 'name') return found;
      const address = parseIp(target.host.text);
      return address && findBlock(unmapIp(address), now);
    },
    factsOf(entry) {
      const number = numberOf(keyOf(entry));
      return number === -1 ? null : facts.at(number);
    },
  };
}

function hashFromBehind(bytes: Uint8Array, from: number, to: number): number {
  let hash = FNV_BASIS;
  for (let at = to - 1; at >= from; at--) hash = fnvStep(hash, bytes[at] ?? 0);
  return hash;
}

/** What an entry is kept under: a URL without its scheme, which says nothing, and a block so that no URL is the same text. */
function keyOf(entry: string): string {
  if (entry.startsWith(SCHEME)) return entry.slice(SCHEME.length);
  return entry.includes('/') ? `/${entry}` : entry;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}
