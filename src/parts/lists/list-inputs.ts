import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { isText } from '#src/core/base/guard.ts';
import { member, textMember, timeOrNull } from '#src/core/base/text/json-shape.ts';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { type ListFile, readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { isListName, LIST_ACTIONS, type ListAction, MAX_WEIGHT } from '#src/network/lists/stored/list-state.ts';

/** Content of a change: entries, the bytes of a file, or a file that is streamed. */
export type ListInput = readonly ListFileItem[] | ListInputFile | ListStream;

/** Bytes of a list file. Their buffer must not be used afterwards. */
interface ListInputFile {
  readonly bytes: Uint8Array;
  /** Name of the format; null to detect it. */
  readonly format: string | null;
}

/** Entries that arrive in pieces. */
export type ListStream = AsyncIterable<readonly ListFileItem[]> | ListFile;

/** Bytes that are read at a time. */
const PIECE_BYTES = 32 * 1024;

/** Returns true for an input that arrives in pieces. */
export function isStream(input: ListInput): input is ListStream {
  return Symbol.asyncIterator in input;
}

/** Returns the entries of an input in pieces. */
export function readInput(input: ListInput): ListStream {
  if ('bytes' in input) return readListFile(inPieces(input.bytes), input.format);
  return isStream(input) ? input : once(input);
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function* once(items: readonly ListFileItem[]): AsyncGenerator<readonly ListFileItem[]> {
  yield items;
}

const action = Type.Optional(
  member(
    stringEnum<ListAction>(LIST_ACTIONS, {
      description: 'What a match does; as before by default, `block` for a new list',
    }),
    'must be block or allow',
  ),
);

const expires = Type.Optional(timeOrNull('When entries without an expiry of their own expire; null for never'));

const CONTENT = {
  content: textMember('The list in any format that `lurecheck lists import` reads'),
  format: Type.Optional(textMember('Name of the format; detected by default')),
  action,
  weight: Type.Optional(
    member(
      Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: MAX_WEIGHT }), Type.Null()], {
        description: 'Log-odds that a match adds; null if a match decides alone',
      }),
      `must be a number above 0 and up to ${MAX_WEIGHT}, or null`,
    ),
  ),
  expires,
  skip_invalid: Type.Optional(
    member(
      Type.Boolean({ description: 'Skip and report invalid lines instead of refusing the list' }),
      'must be true or false',
    ),
  ),
  allow_empty: Type.Optional(
    member(
      Type.Boolean({ description: 'Accept a list without an entry that can be applied instead of refusing it' }),
      'must be true or false',
    ),
  ),
};

const NAME = member(
  Type.String({ description: 'Name of the list' }),
  'must be at most 64 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
  (value) => isText(value) && isListName(value),
);

export const NewListSchema = Type.Object(
  { name: NAME, ...CONTENT },
  { $id: 'NewList', additionalProperties: false, description: 'A list to create' },
);

export const ListContentSchema = Type.Object(CONTENT, {
  $id: 'ListContent',
  additionalProperties: false,
  description: 'The new content of a list',
});

export const NewEntrySchema = Type.Object(
  {
    entry: textMember('A host, URL, address or network'),
    action,
    expires,
    comment: Type.Optional(textMember('Comment on the entry')),
  },
  { $id: 'NewListEntry', additionalProperties: false, description: 'An entry to add' },
);

export const TestedUrlSchema = Type.Object(
  { url: textMember('The URL') },
  { $id: 'TestedUrl', additionalProperties: false, description: 'A URL to test' },
);

/** Maximum number of entries that a request names. */
const MAX_NAMED = 10_000;

const isNames = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_NAMED && value.every(isText);

export const RemovalSchema = Type.Object(
  {
    entries: Type.Optional(
      member(
        Type.Array(Type.String(), {
          description: 'Entries to remove, each of which must be in the list',
          maxItems: MAX_NAMED,
        }),
        `must be 1 to ${MAX_NAMED} entries`,
        isNames,
      ),
    ),
    search: Type.Optional(textMember('Text that finds the entries to remove, as `search` of the list does')),
  },
  { $id: 'EntryRemoval', additionalProperties: false, description: 'Entries to remove: exactly one of its members' },
);

export type EntryRemoval = Static<typeof RemovalSchema>;
export type NewList = Static<typeof NewListSchema>;
export type ListContent = Static<typeof ListContentSchema>;
