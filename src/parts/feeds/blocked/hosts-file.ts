import { type BlockWriting, blockedPlaceOf } from './block-list.ts';
import { isPlainName } from './plain-name.ts';

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
