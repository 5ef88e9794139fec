import { formatCidr } from '#src/core/base/addresses/ip.ts';
import { type BlockList, type BlockListSubject, blockedPlaceOf, type Omission } from './block-list.ts';
import { uniqueLines } from './unique-lines.ts';
import { withoutExceptions } from './without-exceptions.ts';

/** Addresses for firewalls that pull a list of them, one block per line, without comments: `203.0.113.7/32`. */
export function writeAddresses(
  list: BlockList,
  _subject: BlockListSubject,
  omit: (reason: Omission) => void,
): Iterable<string> {
  return uniqueLines(
    withoutExceptions(list, omit).flatMap(({ entry }) => {
      const place = blockedPlaceOf(entry);
      if (place.kind === 'block') return [formatCidr(place.block)];
      omit(place.kind === 'name' ? 'name' : place.port === null ? 'url' : 'port');
      return [];
    }),
  );
}
