import { parseIp } from '#src/core/base/addresses/ip.ts';
import { isWholeHost, type StoredEntry } from '#src/network/lists/stored/stored-entry.ts';

/** A blocked entry for export. */
export interface BlockedEntry {
  readonly entry: StoredEntry;
  /** Why, as the name of a thing: the list that says so, or what speaks against it. */
  readonly why: string;
  /** Since when, in milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** Time at which the block ends, in milliseconds since the Unix epoch; null if it is permanent. */
  readonly untilMs: number | null;
  /** True if a URL covers only itself and nothing below it, because the host is shared. */
  readonly isExact: boolean;
  /** True if it is a blocked entry within a wider allowed one. */
  readonly isInAllowed: boolean;
}

/** Everything that is blocked, each once, and the allowed exceptions within it. */
export interface BlockList {
  readonly blocked: readonly BlockedEntry[];
  readonly allowed: readonly StoredEntry[];
}

/** Metadata of a block list. */
export interface BlockListSubject {
  /** Host name of this node. */
  readonly source: string;
  /** Time of writing, in milliseconds since the Unix epoch; the serial of a zone. */
  readonly nowMs: number;
  /** After how many seconds a server asks for the serial of the zone again; an hour by default. */
  readonly refreshSeconds?: number;
  /** True if it contains sources of private checks. */
  readonly isPrivate: boolean;
  /** The name that it will have as a zone, without a final dot. */
  readonly zone: string;
}

/** Why an entry is not in what was written, as words behind how many these are. */
export const OMISSIONS = {
  url: 'about URLs, of which the format knows none',
  port: 'about a port, of which the format knows none',
  address: 'about addresses, of which the format knows none',
  name: 'with names that the format cannot hold',
  length: 'longer than a line of the format may be',
  within: 'allowed within what is blocked, which the format cannot say',
} as const;

/** One of {@link OMISSIONS}. */
export type Omission = keyof typeof OMISSIONS;

/** A block list that is written. */
export interface BlockWriting extends BlockList, BlockListSubject {
  /** Takes the reason for each entry that the format cannot express. */
  readonly omit: (reason: Omission) => void;
}

/** Writes what is blocked in one format, piece by piece. */
export type WriteBlockList = (writing: BlockWriting) => Iterable<string>;

/** A blocked place in the terms of a format: a host with or without subdomains, addresses, or URLs. */
export type BlockedPlace =
  | { readonly kind: 'name'; readonly name: string; readonly hasSubdomains: boolean }
  | Extract<StoredEntry, { readonly kind: 'block' }>
  | Extract<StoredEntry, { readonly path: string }>;

/** Takes an entry for what a format sees in it. */
export function blockedPlaceOf(entry: StoredEntry): BlockedPlace {
  if (entry.kind === 'block') return entry;
  const isUrl = entry.kind !== 'host' && !(isWholeHost(entry) && entry.port === null);
  if (isUrl) return entry;
  const ip = parseIp(entry.host);
  if (ip) return { kind: 'block', block: { network: ip, bits: ip.family === 4 ? 32 : 128 } };
  return { kind: 'name', name: entry.host, hasSubdomains: entry.kind === 'host' };
}
