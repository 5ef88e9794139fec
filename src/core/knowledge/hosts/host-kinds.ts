import { mapWith } from '#src/core/base/guard.ts';
import { memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';
import { type Host, suffixesOf } from '#src/core/url/host.ts';
import { isNameLines, readFacts } from '../fact-file.ts';

/** The service of a well-known host that lets third parties publish content or targets under its name. */
export const HOST_KINDS = [
  'builder',
  'free_hosting',
  'app',
  'code',
  'storage',
  'tunnel',
  'document',
  'form',
  'blog',
  'shop',
  'mail_tool',
  'reseller_suffix',
  'translator',
  'dynamic_dns',
  'shortener',
  'link_in_bio',
  'ipfs_gateway',
  'redirector',
  'cdn',
] as const;

/** One of {@link HOST_KINDS}. */
export type HostKind = (typeof HOST_KINDS)[number];

/** A listed host: the name as it is listed, and what it offers. */
export interface HostFact {
  readonly domain: string;
  readonly kind: HostKind;
}

/** Finds the listed host that a host is or lies under. */
export interface HostTable {
  /** The longest listed name that `host` is or lies under, or null. About 0.2 µs. */
  find(host: Host): HostFact | null;
}

/** Fact files of one kind each, and those that map kinds to names; `hosting.json` is the second sort. */
export interface HostFiles {
  readonly byKind: readonly { readonly fileName: string; readonly kind: HostKind; readonly file: unknown }[];
  /** Hosts that forward, in the canonical form. */
  readonly forwarding: readonly string[];
  readonly hosting: unknown;
}

/**
 * Builds the table. Throws an Error that names a damaged file. A name that is listed several times has the first of its
 * kinds.
 */
export function readHostTable(files: HostFiles): HostTable {
  const facts = new Map<string, HostFact>();
  const addAll = (kind: HostKind, lines: readonly string[]) => {
    for (const line of lines) {
      for (const domain of line.split(' ')) if (!facts.has(domain)) facts.set(domain, { domain, kind });
    }
  };
  for (const { fileName, kind, file } of files.byKind) addAll(kind, readFacts(fileName, file, isNameLines));
  addAll('redirector', files.forwarding);
  const hosting = readFacts('hosting.json', files.hosting, isHosting);
  for (const kind of HOST_KINDS) addAll(kind, hosting[kind] ?? []);
  return {
    find: memoizeLatestTwo((host) => {
      if (host.kind !== 'name') return null;
      for (const name of suffixesOf(host)) {
        const fact = facts.get(name);
        if (fact) return fact;
      }
      return null;
    }),
  };
}

const isTable = mapWith(isNameLines);

function isHosting(value: unknown): value is Partial<Record<HostKind, string[]>> {
  return isTable(value) && Object.keys(value).every((kind) => HOST_KINDS.some((known) => known === kind));
}
