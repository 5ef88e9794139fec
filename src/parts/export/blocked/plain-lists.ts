import { formatCidr, type IpAddress, parseIp, prefixOf } from '#src/core/base/addresses/ip.ts';
import { hostOf, suffixesOf } from '#src/core/url/host.ts';
import { authorityOf, type StoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import {
  type BlockedEntry,
  type BlockedPlace,
  type BlockList,
  type BlockWriting,
  blockedPlaceOf,
  type Omission,
} from './block-list.ts';

/** Letters, digits, hyphens, underscores and dots, at most 253 characters: the longest name in DNS (RFC 1035 §2.3.4). */
const PLAIN_NAME = /^[a-z\d_]([a-z\d._-]{0,251}[a-z\d])?$/;

/** Returns true for a name that every resolver and firewall reads. */
function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}

/**
 * Writes names for firewalls that pull a list of domains, one per line, without comments: `evil.example` for the host, and
 * `*.evil.example` for what is under it.
 */
export function writeDomains(writing: BlockWriting): Iterable<string> {
  return uniqueLines(writing, (place, omit) => {
    if (place.kind === 'block') omit('address');
    else if (place.kind !== 'name') omit(place.port === null ? 'url' : 'port');
    else if (!isPlainName(place.name)) omit('name');
    else return place.hasSubdomains ? [place.name, `*.${place.name}`] : [place.name];
    return [];
  });
}

/** Writes addresses for firewalls that pull a list of them, one block per line, without comments: `203.0.113.7/32`. */
export function writeAddresses(writing: BlockWriting): Iterable<string> {
  return uniqueLines(writing, (place, omit) => {
    if (place.kind === 'block') return [formatCidr(place.block)];
    omit(place.kind === 'name' ? 'name' : place.port === null ? 'url' : 'port');
    return [];
  });
}

/**
 * Writes URLs for firewalls that pull a list of them, one per line, without scheme and comments. A host ends with a slash:
 * some firewalls read `evil.example` as `evil.example.*`.
 */
export function writeUrls(writing: BlockWriting): Iterable<string> {
  return uniqueLines(writing, (place, omit) => {
    if (place.kind === 'name' && isPlainName(place.name))
      return place.hasSubdomains ? [`${place.name}/`, `*.${place.name}/`] : [`${place.name}/`];
    if (place.kind === 'name') omit('name');
    else if (place.kind === 'block') omit('address');
    else if (place.port !== null) omit('port');
    else {
      const query = place.kind === 'address' && place.query !== '' ? `?${place.query}` : '';
      return [`${authorityOf(place)}${place.path}${query}`];
    }
    return [];
  });
}

/** Yields the lines of the blocked places in which nothing is allowed, each once. */
function* uniqueLines(
  { omit, ...list }: BlockWriting,
  linesOf: (place: BlockedPlace, omit: BlockWriting['omit']) => readonly string[],
): Generator<string> {
  const lines = withoutExceptions(list, omit).flatMap(({ entry }) => linesOf(blockedPlaceOf(entry), omit));
  for (const line of new Set(lines)) yield `${line}\n`;
}

/** Writes a hosts file (hosts(5)), which lists each name by itself and covers no subdomains. */
export function* writeHostsFile({ blocked, source, omit }: BlockWriting): Generator<string> {
  yield `# What lurecheck on ${source} blocks. A hosts file says nothing of names under these.\n`;
  const written = new Set<string>();
  for (const { entry } of blocked) {
    const place = blockedPlaceOf(entry);
    if (place.kind === 'block') omit('address');
    else if (place.kind !== 'name') omit(place.port === null ? 'url' : 'port');
    else if (!isPlainName(place.name)) omit('name');
    else if (written.size < written.add(place.name).size) yield `0.0.0.0 ${place.name}\n`;
  }
}

/** Writes one entry per line, as `lists import` reads it. */
export function* writePlainList({ blocked, allowed, source, omit }: BlockWriting): Generator<string> {
  yield `# What lurecheck on ${source} blocks.\n`;
  for (const { entry } of blocked) yield `${writeStoredEntry(entry)}\n`;
  for (const _ of allowed) omit('within');
}

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
