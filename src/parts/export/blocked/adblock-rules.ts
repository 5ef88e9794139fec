import { formatIp } from '#src/core/base/addresses/ip.ts';
import { authorityOf } from '#src/network/lists/stored/stored-entry.ts';
import { type BlockedPlace, type BlockWriting, blockedPlaceOf } from './block-list.ts';

/**
 * A filter list for uBlock Origin, AdGuard and AdGuard Home: `||host^` for a host with what is under it, `||host/path` for URLs,
 * which takes in such of hosts under it, and `@@` for what is allowed within.
 */
export function* writeAdblockRules({ blocked, allowed, source, omit }: BlockWriting): Generator<string> {
  yield `! Title: What lurecheck on ${source} blocks\n`;
  const written = new Set<string>();
  const isNew = (line: string) => written.size < written.add(line).size;
  for (const { entry, isExact, isInAllowed } of blocked) {
    const patterns = patternsOf(blockedPlaceOf(entry), isExact);
    if (patterns.length === 0) omit('address');
    // No exception holds against what is important.
    for (const pattern of patterns) {
      const line = withOptions(pattern, [pattern.includes('/') ? 'document' : '', isInAllowed ? 'important' : '']);
      if (isNew(line)) yield line;
    }
  }
  for (const entry of allowed) {
    const patterns = patternsOf(blockedPlaceOf(entry), false);
    if (patterns.length === 0) omit('within');
    // What resolvers read, and what browsers open a page by.
    const lines = patterns.flatMap((pattern) => [
      withOptions(`@@${pattern}`, []),
      withOptions(`@@${pattern}`, ['document']),
    ]);
    yield* lines.filter(isNew);
  }
}

/**
 * Returns the patterns that match a place. `^` matches the end of a URL, or a separator after host, path or parameter.
 */
function patternsOf(place: BlockedPlace, isExact: boolean): string[] {
  if (place.kind === 'name')
    return place.hasSubdomains ? [`||${place.name}^`] : [`|http://${place.name}^`, `|https://${place.name}^`];
  if (place.kind === 'block') {
    const { network, bits } = place.block;
    if (bits !== (network.family === 4 ? 32 : 128)) return [];
    return [`||${authorityOf({ host: formatIp(network), port: null })}^`];
  }
  const query = place.kind === 'address' && place.query !== '' ? `?${place.query}` : '';
  const isOpen = place.kind === 'beginning' || (query === '' && place.path.endsWith('/'));
  return [`||${authorityOf(place)}${place.path}${query}${isExact ? '|' : isOpen ? '' : '^'}`];
}

function withOptions(pattern: string, options: readonly string[]): string {
  const given = options.filter((option) => option !== '');
  return `${pattern}${given.length === 0 ? '' : `$${given.join(',')}`}\n`;
}
