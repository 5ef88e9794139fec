import { type BlockList, type BlockListSubject, blockedPlaceOf, type Omission } from './block-list.ts';
import { isPlainName } from './plain-name.ts';
import { uniqueLines } from './unique-lines.ts';
import { withoutExceptions } from './without-exceptions.ts';

/**
 * Names for firewalls that pull a list of domains, one per line, without comments: `evil.example` for the host, and
 * `*.evil.example` for what is under it.
 */
export function writeDomains(
  list: BlockList,
  _subject: BlockListSubject,
  omit: (reason: Omission) => void,
): Iterable<string> {
  return uniqueLines(
    withoutExceptions(list, omit).flatMap(({ entry }) => {
      const place = blockedPlaceOf(entry);
      if (place.kind === 'block') omit('address');
      else if (place.kind !== 'name') omit(place.port === null ? 'url' : 'port');
      else if (!isPlainName(place.name)) omit('name');
      else return place.hasSubdomains ? [place.name, `*.${place.name}`] : [place.name];
      return [];
    }),
  );
}
