import { authorityOf } from '#src/network/lists/stored/stored-entry.ts';
import {
  type BlockedPlace,
  type BlockList,
  type BlockListSubject,
  blockedPlaceOf,
  type Omission,
} from './block-list.ts';
import { isPlainName } from './plain-name.ts';
import { uniqueLines } from './unique-lines.ts';
import { withoutExceptions } from './without-exceptions.ts';

/**
 * URLs for firewalls that pull a list of them, one per line, without scheme and comments. A host ends with a slash:
 * some firewalls read `evil.example` as `evil.example.*`.
 */
export function writeUrls(
  list: BlockList,
  _subject: BlockListSubject,
  omit: (reason: Omission) => void,
): Iterable<string> {
  return uniqueLines(withoutExceptions(list, omit).flatMap(({ entry }) => linesOf(blockedPlaceOf(entry), omit)));
}

function linesOf(place: BlockedPlace, omit: (reason: Omission) => void): string[] {
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
}
