import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import { suffixesOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { ListEntry } from './entry.ts';
import type { ParsedList } from './parse.ts';

/** The entry that a target matched. */
export interface ListMatch {
  /** Its text in canonical form. */
  readonly entry: string;
  /** Its line in the list, counted from 1. */
  readonly line: number;
}

/** A list that answers whether a target is on it. */
export interface ListIndex {
  readonly size: number;
  /** Identifies the content of the list. */
  readonly digest: string;
  /** The most specific entry that covers `target`: an address before a host, a longer one before a shorter; or null. */
  find(target: Target): ListMatch | null;
}

type AddressEntry = Extract<ListEntry, { kind: 'address' }> & { readonly line: number };

/**
 * Indexes a list. Hosts are in one text with a hash table over it: a million take 65 MB, and a lookup takes a
 * microsecond.
 */
export function indexList(list: ParsedList): ListIndex {
  const hosts: string[] = [];
  const lines: number[] = [];
  const addresses = new Map<string, AddressEntry[]>();
  for (const { entry, line } of list.entries) {
    if (entry.kind === 'host') {
      hosts.push(entry.host);
      lines.push(line);
      continue;
    }
    const known = addresses.get(entry.host);
    if (known) known.push({ ...entry, line });
    else addresses.set(entry.host, [{ ...entry, line }]);
  }
  for (const entries of addresses.values()) {
    entries.sort((a, b) => b.path.length - a.path.length || b.query.length - a.query.length);
  }
  const table = hashHosts(hosts);
  return {
    size: list.entries.length,
    digest: list.digest,
    find(target) {
      const address = addresses.get(target.host.text)?.find((entry) => covers(entry, target));
      if (address) return { entry: addressText(address), line: address.line };
      for (const name of suffixesOf(target.host)) {
        const at = table.find(name);
        if (at !== null) return { entry: name, line: lines[at] ?? 0 };
      }
      return null;
    },
  };
}

function covers(entry: AddressEntry, target: Target): boolean {
  if (entry.port === null ? target.port !== 80 && target.port !== 443 : entry.port !== target.port) return false;
  if (entry.query !== '') return target.path === entry.path && `${target.query}&`.startsWith(`${entry.query}&`);
  if (target.path === entry.path) return true;
  return target.path.startsWith(entry.path.endsWith('/') ? entry.path : `${entry.path}/`);
}

function addressText(entry: AddressEntry): string {
  const host = entry.host.includes(':') ? `[${entry.host}]` : entry.host;
  return `${host}${entry.port === null ? '' : `:${entry.port}`}${entry.path}${entry.query && `?${entry.query}`}`;
}

/** Positions of texts in a list; of equal texts, the first one. */
interface TextTable {
  find(text: string): number | null;
}

const EMPTY = 0xffffffff;

function hashHosts(hosts: readonly string[]): TextTable {
  const blob = hosts.join('\n');
  const offsets = new Uint32Array(hosts.length + 1);
  for (const [index, host] of hosts.entries()) offsets[index + 1] = (offsets[index] ?? 0) + host.length + 1;
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * hosts.length + 2))).fill(EMPTY);
  const mask = slots.length - 1;
  const at = (index: number, text: string) =>
    (offsets[index + 1] ?? 0) - (offsets[index] ?? 0) === text.length + 1 && blob.startsWith(text, offsets[index]);
  const slotOf = (text: string) => {
    let slot = mixHash(fnvHash(text)) & mask;
    for (let index = slots[slot]; index !== undefined && index !== EMPTY && !at(index, text); index = slots[slot]) {
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  for (const [index, host] of hosts.entries()) {
    const slot = slotOf(host);
    if (slots[slot] === EMPTY) slots[slot] = index;
  }
  return {
    find(text) {
      const index = slots[slotOf(text)];
      return index === undefined || index === EMPTY ? null : index;
    },
  };
}
