import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { DecisionSchema } from '#src/checks/record/check-result.ts';
import { nullable } from '#src/core/base/text/json-shape.ts';
import { QuarantineSchema } from '#src/service/server/admin/preview-answer.ts';

const HITS = Type.Integer({ minimum: 0 });

const LIST = {
  name: Type.String({ description: 'Name of the list' }),
  action: stringEnum(['block', 'allow'], { description: 'What a match does' }),
  weight: nullable(Type.Number(), 'Log-odds that a match adds; null if a match decides alone'),
  entries: Type.Integer({ minimum: 0, description: 'Number of applied entries' }),
  quarantined: Type.Integer({ minimum: 0, description: 'Number of entries that are stored and not applied' }),
  owner: Type.String({ description: 'Who changes it: `operator`, `feedback`, `source`, or `pack` and its name' }),
  source: nullable(Type.String(), 'Name of the file that it came from; null if it was made by hand'),
  updated_at: Type.String({ format: 'date-time', description: 'When it was last changed' }),
  etag: Type.String({ description: 'Value of `If-Match` for a change' }),
  hits: nullable(HITS, 'Checks that it decided in the last 30 days; null if the log cannot be read'),
};

export const ListRowSchema = Type.Object(LIST, { $id: 'List', description: 'A stored list' });

export const ListsSchema = Type.Object(
  { items: Type.Array(ListRowSchema, { description: 'Lists, by name' }) },
  { $id: 'Lists', description: 'The stored lists' },
);

const ENTRY = {
  entry: Type.String({ description: 'The entry' }),
  written: nullable(
    Type.String(),
    'The entry with its host in the script that it is written in; null if that is the same',
  ),
  line: Type.Integer({ minimum: 1, description: 'Its line in what was imported' }),
  added: nullable(Type.String({ format: 'date-time' }), 'When it came to the list'),
  expires: nullable(Type.String({ format: 'date-time' }), 'When it expires; null for never'),
  comment: nullable(Type.String(), 'Comment; null for none'),
  exception: Type.Boolean({ description: 'True if it excludes what it covers from the list' }),
  applied: Type.Boolean({ description: 'False if it is not applied because it would cover too many sites' }),
  held_back: Type.Union([QuarantineSchema, Type.Null()], {
    description: 'Why it is not applied, as a code; null if it is',
  }),
  hits: nullable(HITS, 'Checks that it decided in the last 30 days; null if they were not counted'),
};

const EntrySchema = Type.Object(ENTRY, { $id: 'ListEntry', description: 'An entry of a list' });

const FOUND = Type.Integer({ minimum: 0, description: 'Entries that match, also those that are not applied' });
const NEXT = nullable(Type.String(), '`after` of the next page; null at the end');

export const ListPageSchema = Type.Object(
  {
    ...LIST,
    total: LIST.entries,
    found: FOUND,
    entries: Type.Array(EntrySchema, { description: 'Entries, in the order that was asked for' }),
    next_after: NEXT,
  },
  { $id: 'ListPage', description: 'A list and some of its entries' },
);

export const FoundEntriesSchema = Type.Object(
  {
    found: FOUND,
    entries: Type.Array(
      Type.Object(
        { list: LIST.name, action: LIST.action, owner: LIST.owner, etag: LIST.etag, ...ENTRY },
        { $id: 'FoundListEntry', description: 'An entry and its list' },
      ),
      { description: 'Entries, in the order that was asked for' },
    ),
    next_after: NEXT,
  },
  { $id: 'FoundListEntries', description: 'Entries of all lists' },
);

export const ListVersionsSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          version: Type.String({ description: 'Beginning of the SHA-256 of its content' }),
          created_at: Type.String({ format: 'date-time', description: 'When it was made' }),
          entries: Type.Integer({ minimum: 0, description: 'Number of applied entries' }),
          source: nullable(Type.String(), 'Name of the file that it came from; null if it was made by hand'),
          active: Type.Boolean({ description: 'True for the active version' }),
        },
        { $id: 'ListVersion', description: 'A version of a list' },
      ),
      { description: 'The active version and those that a rollback can reach, latest first' },
    ),
  },
  { $id: 'ListVersions', description: 'The versions of a list' },
);

export const ListMatchesSchema = Type.Object(
  {
    matches: Type.Array(
      Type.Object(
        {
          list: Type.String({ description: 'Name of the list' }),
          entry: Type.String({ description: 'The entry' }),
          action: LIST.action,
          weight: LIST.weight,
          expires: nullable(Type.String({ format: 'date-time' }), 'When it expires; null for never'),
          applied: Type.Boolean({ description: 'True if it has an effect' }),
        },
        { $id: 'ListMatch', description: 'An entry that covers the URL' },
      ),
      { description: 'Entries that cover the URL' },
    ),
    decision: DecisionSchema,
  },
  { $id: 'ListMatches', description: 'What the lists say about a URL, and the verdict by URL and lists alone' },
);

export const ChangedListSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the list' }),
    entries: Type.Integer({ minimum: 0, description: 'Number of applied entries' }),
    added: Type.Integer({ minimum: 0, description: 'Number of new entries' }),
    quarantined: Type.Integer({ minimum: 0, description: 'Number of entries that are stored and not applied' }),
    skipped: Type.Integer({ minimum: 0, description: 'Number of invalid lines that were skipped' }),
    etag: nullable(Type.String(), 'Value of `If-Match` for another change; null if the list was removed'),
  },
  { $id: 'ChangedList', description: 'A list after a change' },
);

const TIME = Type.String({ format: 'date-time' });

export const ListSourceSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of its list' }),
    tried_at: nullable(TIME, 'Last attempt; null before the first'),
    renewed_at: nullable(TIME, 'Last success; null before the first'),
    next_at: nullable(TIME, 'Next attempt; null for a file, which is read whenever it changes'),
    problem: nullable(Type.String(), 'Why the last attempt failed; null if it did not'),
  },
  { $id: 'ListSource', description: 'A scheduled source of a list' },
);

export const SourcesSchema = Type.Object(
  { items: Type.Array(ListSourceSchema, { description: 'The sources' }) },
  { $id: 'ListSources', description: 'The scheduled sources of lists' },
);

/** A stored list. */
export type ListRow = Static<typeof ListRowSchema>;

/** An entry of a list. */
export type ShownEntry = Static<typeof EntrySchema>;

/** A list and some of its entries. */
export type ListPage = Static<typeof ListPageSchema>;

/** Entries of all lists. */
export type FoundPage = Static<typeof FoundEntriesSchema>;

/** A version of a list. */
export type ListVersion = Static<typeof ListVersionsSchema>['items'][number];

/** Entries of the lists that match a URL. */
export type ListMatches = Static<typeof ListMatchesSchema>;

/** A scheduled source of a list. */
export type ShownSource = Static<typeof ListSourceSchema>;
