import { formatCidr, type IpAddress, parseIp, prefixOf, unmapIp } from '#src/core/base/addresses/ip.ts';
import { FNV_BASIS, fnvHash, fnvStep } from '#src/core/base/fnv.ts';
import { type Host, MAX_NAME_LENGTH, suffixStarts } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { createFactTable, type EntryFacts, type FactTable, type PackedColumn } from './entry-facts.ts';
import { createEntryKeys, type EntryKeys, type HashSet, openEntryKeys, type PackedKeys, SCHEME } from './entry-keys.ts';
import type { TextTable } from './text-table.ts';

const [STAR, AMPERSAND] = [0x2a, 0x26];

/** URLs without their schemes, by the hash of their text. */
interface UrlTable {
  readonly texts: Pick<TextTable, 'find'>;
  /** Authorities, which precede the path. */
  readonly authorities: Pick<HashSet, 'mayHave'>;
  /** Lengths of the URL prefixes after the host. */
  readonly beginnings: ReadonlySet<number>;
}

interface CoveringUrl {
  /** In the table. */
  readonly number: number;
  /** Without its scheme; a beginning has its star. */
  readonly text: string;
  readonly narrowness: number;
}

/**
 * Returns the narrowest URL of `texts` that covers a target. A URL covers everything below its path, one with a query
 * that path with any further parameters, and a prefix all URLs that begin with it.
 *
 * @param holds returns true if an entry counts; gets its number, −1 for none
 */
function narrowestUrl(
  { host, port, path, query }: Target,
  { texts, authorities, beginnings }: UrlTable,
  holds: (number: number) => boolean,
): CoveringUrl | null {
  const name = host.kind === 'ipv6' ? `[${host.text}]` : host.text;
  const authority = port === 80 || port === 443 ? name : `${name}:${port}`;
  let hash = fnvHash(authority);
  if (!authorities.mayHave(hash)) return null;
  const url = `${authority}${path}${query && `?${query}`}`;
  const from = authority.length;
  const pathEnd = from + path.length;
  const hasBeginnings = beginnings.size > 0;
  let found = -1;
  let length = 0;
  let isBeginning = false;
  // Ends are ascending, so that the last match is the narrowest.
  for (let end = from; end <= url.length; end++) {
    const beginning =
      hasBeginnings && beginnings.has(end - from) ? texts.find(url, 0, end, STAR, fnvStep(hash, STAR)) : -1;
    const whole = isEnd(url, end, from, pathEnd) ? texts.find(url, 0, end, 0, hash) : -1;
    const best = holds(whole) ? whole : holds(beginning) ? beginning : -1;
    if (best !== -1) {
      found = best;
      length = end;
      isBeginning = best !== whole;
    }
    hash = fnvStep(hash, url.charCodeAt(end));
  }
  if (found === -1) return null;
  const text = `${url.slice(0, length)}${isBeginning ? '*' : ''}`;
  return { number: found, text, narrowness: 2 * (length - from) + (isBeginning ? 0 : 1) };
}

/** Returns true if a URL that covers this one may end here. */
function isEnd(url: string, end: number, from: number, pathEnd: number): boolean {
  if (end > pathEnd + 1) return end === url.length || url.charCodeAt(end) === AMPERSAND;
  if (end === from || end > pathEnd) return false;
  return end === pathEnd || url.charCodeAt(end) === SLASH || url.charCodeAt(end - 1) === SLASH;
}

const [SLASH, COLON, AT, DOT, BRACKET, QUESTION, HASH] = [0x2f, 0x3a, 0x40, 0x2e, 0x5d, 0x3f, 0x23];

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/**
 * Returns false only if no entry covers the URL between two places of `bytes`, which is in the notation of the platform.
 * Reads its host alone, in one pass and without objects.
 */
function mayCover(
  { texts, authorities, blockBits }: Pick<EntryKeys, 'texts' | 'authorities' | 'blockBits'>,
  bytes: Uint8Array,
  from: number,
  to: number,
): boolean {
  const start = bytes.indexOf(SLASH, from) + 2;
  if (start < from + 2 || start > to) return false;
  let [host, end, port] = [start, start, -1];
  for (; end < to && bytes[end] !== SLASH && bytes[end] !== QUESTION && bytes[end] !== HASH; end++) {
    if (bytes[end] === AT) [host, port] = [end + 1, -1];
    // An IPv6 address has colons of its own, and more spellings than are worth a look.
    if (bytes[end] === BRACKET) return true;
    if (bytes[end] === COLON) port = end;
  }
  const hostEnd = port === -1 ? end : port;
  const authorityEnd = port !== -1 && isUsual(bytes, port + 1, end) ? port : end;
  let authority = FNV_BASIS;
  for (let at = host; at < authorityEnd; at++) authority = fnvStep(authority, bytes[at] ?? 0);
  if (authorities.mayHave(authority) || bytes[hostEnd - 1] === DOT) return true;
  if (blockBits.length > 0 && isDigit(bytes[hostEnd - 1])) return true;
  let hash = FNV_BASIS;
  for (let at = hostEnd - 1; at >= host; at--) {
    hash = fnvStep(hash, bytes[at] ?? 0);
    if ((at === host || bytes[at - 1] === DOT) && texts.has(bytes, at, hostEnd, hash)) return true;
  }
  return false;
}

/** Returns true for the port 80 or 443, which lists do not write. */
function isUsual(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from === 2) return bytes[from] === 0x38 && bytes[from + 1] === 0x30;
  return to - from === 3 && bytes[from] === 0x34 && bytes[from + 1] === 0x34 && bytes[from + 2] === 0x33;
}

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
