import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/core/base/clock.ts';
import {
  CHECKING,
  reloadable,
  type SettingRule,
  type SettingValues,
  setting,
} from '#src/core/base/settings/setting.ts';
import { listOf, plainText, type SettingKind, textOf } from '#src/core/base/settings/setting-kind.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import { isListName, type ListAction } from './stored/list-state.ts';

/** Names of the list formats, for files whose format cannot be detected. */
export const LIST_FORMATS = [
  ...(['stix', 'misp', 'json', 'ndjson', 'csv'] as const),
  ...(['dnsmasq', 'unbound', 'rpz', 'adblock', 'hosts', 'plain'] as const),
];

/** One of {@link LIST_FORMATS}. */
export type ListFormatName = (typeof LIST_FORMATS)[number];

/** A list that is imported on schedule. */
export interface ListSource {
  /** Name of the list. */
  readonly name: string;
  /** Effect of its entries. */
  readonly action: ListAction;
  /** Format; null to detect it. */
  readonly format: string | null;
  /** Time between two fetches of a URL, in milliseconds; null for an hour. */
  readonly everyMs: number | null;
  /** Source: an https URL, or the absolute path of a file. */
  readonly from: { readonly kind: 'https'; readonly url: string } | { readonly kind: 'file'; readonly path: string };
}

/** The place of a source, without the query, which may hold a key of the operator's. */
export function displayLocation({ from }: ListSource): string {
  if (from.kind === 'file') return from.path;
  const { origin, pathname, search } = new URL(from.url);
  return `${origin}${pathname}${search === '' ? '' : '?***'}`;
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const MAX_EVERY_MS = 30 * DAY_MS;

/** Prefixes of the place of a source, each with a colon behind it. */
const OPTION = new RegExp(`^(?:(allow|block)|(${LIST_FORMATS.join('|')})|(\\d{1,5})([mhd])):`);

const listSource: SettingKind<ListSource> = {
  ...textOf<ListSource>(
    'a name and an https URL or the absolute path of a file, such as feed=https://lists.example/feed.txt, with options before the place: allow:, a format such as hosts:, and how often a URL is fetched, such as 6h:',
    readSource,
    (source) => {
      const { name, action, format, everyMs } = source;
      const options = [action === 'allow' ? action : null, format, everyMs && `${everyMs / MINUTE_MS}m`];
      return `${name}=${options.map((option) => (option ? `${option}:` : '')).join('')}${displayLocation(source)}`;
    },
  ),
  tables: { key: 'list_source', members: ['name', 'url', 'action', 'format', 'every'], write: writeTable },
};

function readSource(text: string): ListSource | string {
  const at = text.indexOf('=');
  const name = text.slice(0, at);
  let place = text.slice(at + 1);
  let action: ListAction = 'block';
  let format: string | null = null;
  let everyMs: number | null = null;
  for (let option = OPTION.exec(place); option !== null; option = OPTION.exec(place)) {
    const [written, effect, named, count, unit = ''] = option;
    if (effect === 'allow' || effect === 'block') action = effect;
    format = named ?? format;
    if (count !== undefined) everyMs = Number(count) * (UNITS_MS[unit] ?? 0);
    place = place.slice(written.length);
  }
  if (at < 0 || !isListName(name)) return 'its name is not a list name';
  if (everyMs !== null && (everyMs < MINUTE_MS || everyMs > MAX_EVERY_MS))
    return 'it is fetched too often or too seldom';
  if (place.startsWith('/')) {
    // A file is imported whenever it changes.
    return everyMs === null ? { name, action, format, everyMs, from: { kind: 'file', path: place } } : 'it is a file';
  }
  const url = URL.parse(place);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return 'it is not an https URL';
  return { name, action, format, everyMs, from: { kind: 'https', url: url.href } };
}

/** Writes a table `[[list_source]]` of a TOML file as the setting is written elsewhere. */
function writeTable({ name = '', url = '', ...options }: Readonly<Record<string, string>>): string {
  const { action, format, every } = options;
  return `${name}=${[action, format, every].map((option) => (option === undefined ? '' : `${option}:`)).join('')}${url}`;
}

/** Settings of scheduled list imports. */
export const LIST_SOURCE_SETTINGS = {
  list_sources: reloadable(
    setting(
      ['serve'],
      listOf(listSource),
      [],
      'Lists that the service imports by itself: a file within a minute of a change, a URL every hour, through the egress policy. In a TOML file also as tables `[[list_source]]` with `name`, `url`, `format`, `action` and `every`.',
    ),
  ),
};

/** Each import replaces the list of its name: of two sources, one would undo the other. */
export const LIST_SOURCES_RULE: SettingRule<SettingValues<typeof LIST_SOURCE_SETTINGS>> = {
  between: ['list_sources'],
  problem({ list_sources: sources }) {
    const names = sources.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined
      ? null
      : `list_sources has two sources for the list ${twice}; give each a name of its own`;
  },
};

const CLASSIFYING_COMMANDS = [...CHECKING, 'rescore', 'lists', 'pack', 'gate'] as const;

/** A list that a setting names exists and cannot be read, or has invalid lines. */
export class NamedListError extends SettingsError {}

/** Settings of the operator's list files. */
export const LIST_SETTINGS = {
  block_list: reloadable(
    setting(CLASSIFYING_COMMANDS, listOf(plainText('a file')), [], 'Files with hosts and URLs to block, one per line.'),
  ),
  allow_list: reloadable(
    setting(CLASSIFYING_COMMANDS, listOf(plainText('a file')), [], 'Files with hosts and URLs to allow, one per line.'),
  ),
};

/** The values of {@link LIST_SETTINGS}. */
export type ListSettings = SettingValues<typeof LIST_SETTINGS>;
