import { formatCidr } from '#src/core/base/addresses/ip.ts';
import { authorityOf, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { type BlockedPlace, type BlockWriting, blockedPlaceOf } from './block-list.ts';
import { withoutExceptions } from './without-exceptions.ts';

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
