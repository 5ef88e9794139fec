import { type Static, Type } from '@sinclair/typebox';
import { AFTER, ENTRY_SORTS, type EntrySort } from '#src/admin/lists/entry-order.ts';
import type { EntryQuery } from '#src/admin/lists/find-entries.ts';
import { parameter } from '../http/parameter.ts';
import { limitParameter } from './admin-parameters.ts';

const DEFAULT_LIMIT = 50;
const MAX_TEXT_LENGTH = 8192;

const ORDERS = ['asc', 'desc'] as const;

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(
    parameter<T>(`one of ${values.join(', ')}`, (text) => values.some((one) => one === text), {
      enum: [...values],
      description,
      examples: [values[0]],
    }),
  );

/** The parameters of a page of entries. */
export const EntryQuerySchema = Type.Object({
  limit: limitParameter,
  after: Type.Optional(
    parameter('next_after of the previous page', (text) => AFTER.test(text), {
      description: '`next_after` of the previous page',
      examples: ['50'],
    }),
  ),
  search: Type.Optional(
    parameter(`a text of at most ${MAX_TEXT_LENGTH} characters`, (text) => text.length <= MAX_TEXT_LENGTH, {
      maxLength: MAX_TEXT_LENGTH,
      description:
        'Only entries with this text in them or in their comment, case-insensitive, and those that cover this host or URL',
      examples: ['partner.example'],
    }),
  ),
  sort: oneOf<EntrySort>(
    ENTRY_SORTS,
    '`line`: as in the list; `entry`: by name; `added`, `expires`: by time; `hits`: by the checks that they decided',
  ),
  order: oneOf(ORDERS, 'Ascending by default, or descending'),
});

/** Returns a page of entries as the lists are asked for it. */
export function entryQuery(query: Static<typeof EntryQuerySchema>): EntryQuery {
  const { limit = DEFAULT_LIMIT, after = null, search = '', sort = 'line', order = 'asc' } = query;
  return { limit, after, search: search.trim(), sort, isDescending: order === 'desc' };
}
