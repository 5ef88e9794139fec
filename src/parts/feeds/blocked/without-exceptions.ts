import { formatCidr, type IpAddress, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import { hostOf, suffixesOf } from '#src/core/url/host.ts';
import type { StoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { BlockedEntry, BlockList, Omission } from './block-list.ts';

type UrlEntry = Extract<StoredEntry, { readonly path: string }>;

/**
 * Returns the blocked entries in which nothing is allowed, for formats that cannot express an exception: they block less
 * than the lists do, never more.
 */
export function withoutExceptions(
  { blocked, allowed }: BlockList,
  omit: (reason: Omission) => void,
): readonly BlockedEntry[] {
  if (allowed.length === 0) return blocked;
  const holdsOne = exceptionLookup(allowed);
  return blocked.filter(({ entry }) => {
    if (!holdsOne(entry)) return true;
    omit('within');
    return false;
  });
}

/** Returns a function that reports if an entry covers an allowed one. */
function exceptionLookup(allowed: readonly StoredEntry[]): (entry: StoredEntry) => boolean {
  const hosts = new Set<string>();
  const urls = new Map<string, UrlEntry[]>();
  const addresses: { readonly ip: IpAddress; readonly bits: number }[] = [];
  for (const entry of allowed) {
    if (entry.kind === 'block') {
      addresses.push({ ip: entry.block.network, bits: entry.block.bits });
      continue;
    }
    const ip = parseIp(entry.host);
    if (ip) addresses.push({ ip, bits: ip.family === 4 ? 32 : 128 });
    for (const host of suffixesOf(hostOf(entry.host))) hosts.add(host);
    if (entry.kind === 'host') continue;
    const known = urls.get(entry.host);
    if (known) known.push(entry);
    else urls.set(entry.host, [entry]);
  }
  const blocksOf = createBlockSets(addresses);
  return (entry) => {
    if (entry.kind === 'host') return hosts.has(entry.host);
    if (entry.kind === 'block') return blocksOf(entry.block.bits).has(formatCidr(entry.block));
    return urls.get(entry.host)?.some((one) => covers(entry, one)) ?? false;
  };
}

/** Returns the blocks of a length that hold one of some addresses, as text; each length is computed once. */
function createBlockSets(addresses: readonly { readonly ip: IpAddress; readonly bits: number }[]) {
  const sets = new Map<number, ReadonlySet<string>>();
  return (bits: number): ReadonlySet<string> => {
    const known = sets.get(bits);
    if (known) return known;
    const within = addresses.filter((one) => one.bits >= bits && bits <= (one.ip.family === 4 ? 32 : 128));
    const made = new Set(within.map(({ ip }) => formatCidr(prefixOf(ip, bits))));
    sets.set(bits, made);
    return made;
  };
}

/** Returns true if every URL of `inner` is one of `outer`; both have the same host. */
function covers(outer: UrlEntry, inner: UrlEntry): boolean {
  if (outer.port !== inner.port) return false;
  if (outer.kind === 'beginning') return wholePath(inner).startsWith(outer.path);
  if (outer.query !== '')
    return inner.kind === 'address' && inner.path === outer.path && `${inner.query}&`.startsWith(`${outer.query}&`);
  return inner.path === outer.path || inner.path.startsWith(outer.path.endsWith('/') ? outer.path : `${outer.path}/`);
}

function wholePath(entry: UrlEntry): string {
  return entry.kind === 'address' && entry.query !== '' ? `${entry.path}?${entry.query}` : entry.path;
}
