import { reloadable, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, textOf } from '#src/core/base/settings/setting-kind.ts';
import { isListName, type ListAction } from './stored/list-state.ts';

/** A list that is imported on schedule. */
export interface ListSource {
  /** Name of the list. */
  readonly name: string;
  /** Effect of its entries. */
  readonly action: ListAction;
  /** Source: an https URL, or the absolute path of a file. */
  readonly from: { readonly kind: 'https'; readonly url: string } | { readonly kind: 'file'; readonly path: string };
}

/** The place of a source, without the query, which may hold a key of the operator's. */
export function displayLocation({ from }: ListSource): string {
  if (from.kind === 'file') return from.path;
  const { origin, pathname, search } = new URL(from.url);
  return `${origin}${pathname}${search === '' ? '' : '?***'}`;
}

const listSource = textOf<ListSource>(
  'a name and an https URL or the absolute path of a file, such as feed=https://lists.example/feed.txt, with allow: before the place for a list of what to allow',
  (text) => {
    const at = text.indexOf('=');
    const [, prefix, place = ''] = /^(allow:)?(.*)$/s.exec(text.slice(at + 1)) ?? [];
    const [name, action] = [text.slice(0, at), prefix === undefined ? 'block' : 'allow'] as const;
    if (at < 0 || !isListName(name)) return 'its name is not a list name';
    if (place.startsWith('/')) return { name, action, from: { kind: 'file', path: place } };
    const url = URL.parse(place);
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'it is not an https URL';
    return { name, action, from: { kind: 'https', url: url.href } };
  },
  (source) => `${source.name}=${source.action === 'allow' ? 'allow:' : ''}${displayLocation(source)}`,
);

/** Which lists the service imports by itself. */
export const LIST_SOURCE_SETTINGS = {
  list_sources: reloadable(
    setting(
      ['serve'],
      listOf(listSource),
      [],
      'Lists that the service imports by itself: a file within a minute of a change, a URL every hour, through the egress policy.',
    ),
  ),
};

/** The values of {@link LIST_SOURCE_SETTINGS}. */
export type ListSourceSettings = SettingValues<typeof LIST_SOURCE_SETTINGS>;
