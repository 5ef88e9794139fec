import { formatCidr } from '#src/core/base/addresses/ip.ts';
import { authorityOf } from '#src/network/lists/stored/stored-entry.ts';
import { type BlockedPlace, type BlockWriting, blockedPlaceOf } from './block-list.ts';
import { isPlainName } from './plain-name.ts';
import { withoutExceptions } from './without-exceptions.ts';

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
