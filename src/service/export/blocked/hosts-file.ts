import { type BlockList, type BlockListSubject, blockedPlaceOf, type Omission } from './block-list.ts';

/** A name that every resolver of a system takes from its hosts file. */
const PLAIN_NAME = /^[a-z\d_]([a-z\d._-]{0,251}[a-z\d])?$/;

/** A hosts file (hosts(5)), which knows each name by itself, and nothing of what is under it. */
export function* writeHostsFile(
  { blocked }: BlockList,
  { source }: BlockListSubject,
  omit: (reason: Omission) => void,
): Generator<string> {
  yield `# What lurecheck on ${source} blocks. A hosts file says nothing of names under these.\n`;
  const written = new Set<string>();
  for (const { entry } of blocked) {
    const place = blockedPlaceOf(entry);
    if (place.kind === 'block') omit('address');
    else if (place.kind !== 'name') omit(place.port === null ? 'url' : 'port');
    else if (!PLAIN_NAME.test(place.name)) omit('name');
    else if (written.size < written.add(place.name).size) yield `0.0.0.0 ${place.name}\n`;
  }
}
