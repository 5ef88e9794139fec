import { COLUMNS } from './columns.ts';

/** Subjects of reasons; each column of the model belongs to one group. */
export const COLUMN_GROUPS = [
  'suffix',
  'name',
  'platform',
  'brand',
  'address',
  'subdomain',
  'login_words',
  'path',
  'query',
  'words',
  'other',
] as const;

export type ColumnGroup = (typeof COLUMN_GROUPS)[number];

const RULES: readonly (readonly [RegExp, ColumnGroup])[] = [
  [/login_words$/, 'login_words'],
  [/^(?:suffix_(?:prior|count|length|labels)|ngrams_suffix)$/, 'suffix'],
  [/^(?:brand_|.*_popular(?:_elsewhere)?$)/, 'brand'],
  [/^(?:hosted|platform)$/, 'platform'],
  [/^(?:address|odd_port|credentials|punycode)$/, 'address'],
  [/^(?:label_|longest_label_part|ngrams_(?:label|shape|cross|host))/, 'name'],
  [/^(?:subdomain_|ngrams_subdomain|suffix_like_part)/, 'subdomain'],
  [/^ngrams_(?:words|pairs)$/, 'words'],
  [/query/, 'query'],
  [/^(?:path_|last_segment_|ngrams_(?:path|behind_host))/, 'path'],
];

/** Group of each column, as an index into {@link COLUMN_GROUPS}. */
export const COLUMN_GROUP: Uint8Array = Uint8Array.from(COLUMNS, (name) =>
  COLUMN_GROUPS.indexOf(RULES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'),
);
