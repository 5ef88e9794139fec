import { type Cidr, formatCidr, formatIp, parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { type EntryProblem, type ListEntry, readAnyEntry } from '../entry.ts';

/**
 * An entry of a stored list. A host covers itself and its subdomains; a URL covers everything below its path on that
 * host alone, by http and https alike, so that a host alone is written as its front page; a prefix with a star at its
 * end covers all URLs on that host that begin with it; a block covers URLs whose host is an address in it.
 */
export type StoredEntry =
  | ListEntry
  | (Omit<Extract<ListEntry, { kind: 'address' }>, 'kind' | 'query'> & { readonly kind: 'beginning' })
  | { readonly kind: 'block'; readonly block: Cidr };

const LOOKS_LIKE_A_BLOCK = /^[\da-f.:]+\/\d+$/i;
const BEGINNING = /^https?:\/\/[^/?#*]+(\/[^*#]*)\*$/i;

/** Reads an entry as it is written in a list; nothing is guessed. */
export function readStoredEntry(text: string): StoredEntry | EntryProblem {
  if (LOOKS_LIKE_A_BLOCK.test(text)) return readBlock(text);
  // As in wildcard lists: the host and all hosts below it.
  const plain = /^\*\.[^*/]+$/.test(text) ? text.slice(2) : text;
  return plain.endsWith('*') ? readBeginning(plain) : readAnyEntry(plain);
}

/**
 * An entry as {@link readStoredEntry} reads it again; entries that cover the same are written alike. ASCII without
 * white space.
 */
export function writeStoredEntry(entry: StoredEntry): string {
  if (entry.kind === 'host') return entry.host;
  if (entry.kind === 'block') return formatCidr(entry.block);
  const rest = entry.kind === 'beginning' ? `${entry.path}*` : `${entry.path}${entry.query && `?${entry.query}`}`;
  return `http://${authorityOf(entry)}${rest}`;
}

/** Returns true if a URL entry covers every URL of its host, at its port. */
export function isWholeHost(entry: Extract<StoredEntry, { readonly path: string }>): boolean {
  return entry.path === '/' && (entry.kind === 'beginning' || entry.query === '');
}

/** A host as a URL has it, with its port where that is not a usual one. */
export function authorityOf({ host, port }: { readonly host: string; readonly port: number | null }): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
}

function readBlock(text: string): StoredEntry | EntryProblem {
  const block = parseUnmappedCidr(text);
  if (typeof block === 'string') return { problem: `is not an address block: ${block}` };
  const isOneAddress = block.bits === (block.network.family === 4 ? 32 : 128);
  return isOneAddress ? { kind: 'host', host: formatIp(block.network) } : { kind: 'block', block };
}

function readBeginning(text: string): StoredEntry | EntryProblem {
  if (!BEGINNING.test(text)) {
    return { problem: 'has a star elsewhere than at the end of a URL, as in https://example.com/path*' };
  }
  const target = parseTarget(text.slice(0, -1));
  if (isTargetProblem(target)) return { problem: `${target.message}: write a host or a URL` };
  if (target.username !== '' || target.hasPassword)
    return { problem: 'has credentials, which list entries must not have' };
  const { host, path, query } = target;
  const port = target.port === 80 || target.port === 443 ? null : target.port;
  // A question mark at the end begins an empty query, which the URL parser drops.
  const hasQuery = text.includes('?');
  if (!hasQuery && path.endsWith('/')) return { kind: 'address', host: host.text, port, path, query: '' };
  return { kind: 'beginning', host: host.text, port, path: hasQuery ? `${path}?${query}` : path };
}
