import { type IpAddress, parseIp } from '#src/core/base/addresses/ip.ts';
import { quoted } from '../entry.ts';
import { FEED_TERMS } from './feed-record.ts';
import {
  eachLine,
  entryValue,
  isHash,
  type ListFileItem,
  type ListFormat,
  listedEntry,
  skippedLine,
} from './list-format.ts';

/**
 * A comment: behind `#`, `;` or `//` at the beginning of a line or behind white space, and behind `!` at its beginning.
 * No other part of a list has a space before these.
 */
const COMMENT = /(?:^|\s)(?:#|;|\/\/)\s*([\s\S]*)|^\s*!\s*([\s\S]*)/;

/** A line without its comment and white space, and the comment; null if it has none. */
function splitComment(line: string): { readonly text: string; readonly comment: string | null } {
  const bare = line.includes('<') ? line.replace(/^\s*<pre>|<\/pre>\s*$/gi, '') : line;
  const found = COMMENT.exec(bare);
  const comment = (found?.[1] ?? found?.[2] ?? '').trim() || null;
  return { text: (found ? bare.slice(0, found.index) : bare).trim(), comment };
}

/** `##` and its kin, between hosts and what is chosen on their pages. */
const COSMETIC = /^[^\s/#]*#[@?$%]{0,3}#/;

/** Returns true for a rule about parts of a page, as filter lists have them, but not for a comment of number signs. */
export function isCosmeticRule(line: string): boolean {
  return COSMETIC.test(line) && !/^#+(?:\s|$)|^#{4}/.test(line);
}

/**
 * A hosts file (hosts(5)): an address and its names. Each name covers that host alone, with all its URLs. A line with
 * only a host is read as in a plain list.
 */
export const hostsFormat: ListFormat = { name: 'hosts', isLenient: true, read: eachLine(() => readHostsLine) };

/** Lines of every hosts file about the host itself. */
const OF_THE_MACHINE =
  /^(?:localhost|local|broadcasthost|0\.0\.0\.0|ip6-[a-z]+|localhost\.localdomain|localhost[46])$/i;

/** Reads a line of a hosts file. */
export function readHostsLine(line: string, number: number): readonly ListFileItem[] {
  if (isCosmeticRule(line)) return [skippedLine(number, `${quoted(line)} is about parts of a page`)];
  // Hosts files have comments also directly behind a name.
  const [written = '', ...remark] = line.split('#');
  const { text, comment } = splitComment(written);
  const said = { comment: remark.join('#').trim() || comment };
  if (text === '') return [];
  const [first = '', ...names] = text.split(/\s+/);
  const ip = addressIn(first);
  if (ip === null && names.length === 0) return [listedEntry(entryValue(first), number, said)];
  if (ip === null || names.length === 0)
    return [{ line: number, message: `${quoted(text)} ${ip === null ? 'begins with no address' : 'has no name'}` }];
  const blocked = names.filter((name) => !OF_THE_MACHINE.test(name));
  if (blocked.length === 0) return [];
  if (!leadsNowhere(ip)) return [skippedLine(number, `${quoted(text)} maps to a host instead of blocking`)];
  return blocked.map((name) => listedEntry(hostOrMore(name), number, said));
}

/** A name is that host alone, but `*.evil.example` and a URL are what they are. */
function hostOrMore(name: string): string {
  const value = entryValue(name);
  return value === name && !name.includes('/') ? `http://${name}/` : value;
}

/** Parses an address without its zone, as in `fe80::1%lo0`, also `0`; null if the field is not an address. */
function addressIn(field: string): IpAddress | null {
  return parseIp(field === '0' ? '0.0.0.0' : field.replace(/%.*/s, ''));
}

/** Returns true for an unspecified or loopback address: 0.0.0.0, 127.0.0.0/8, `::`, `::1`. */
export function leadsNowhere({ family, value }: IpAddress): boolean {
  return family === 4 ? value === 0n || value >> 24n === 127n : value <= 1n;
}

/** One entry per line, with comments behind `#`, `;` or `//`, as Spamhaus DROP and access lists of Squid are, too. */
export const plainFormat: ListFormat = { name: 'plain', isLenient: false, read: eachLine(() => readPlainLine) };

const TITLES = new Set([...FEED_TERMS.value, ...FEED_TERMS.lists]);

function readPlainLine(line: string, number: number): readonly ListFileItem[] {
  const { text, comment } = splitComment(line);
  // The title of a table with one column.
  if (text === '' || (number === 1 && TITLES.has(text.toLowerCase()))) return [];
  if (isHash(text)) return [skippedLine(number, `${quoted(text)} is a hash`)];
  return [listedEntry(entryValue(text), number, { comment })];
}
