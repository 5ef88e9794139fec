import type { ConsoleTeller } from '../console-parts.ts';

/** Orders of entries as the service knows them. */
const SORTS = {
  added: { sort: 'added', order: 'desc' },
  line: { sort: 'line', order: 'asc' },
  entry: { sort: 'entry', order: 'asc' },
  hits: { sort: 'hits', order: 'desc' },
  unused: { sort: 'hits', order: 'asc' },
  expires: { sort: 'expires', order: 'asc' },
} as const;

type SortName = keyof typeof SORTS;

/** Returns the orders with their words, the usual one first. */
export function sortsOf(usual: SortName, tell: ConsoleTeller): readonly (readonly [SortName, string])[] {
  const names = Object.keys(SORTS) as SortName[];
  return [usual, ...names.filter((name) => name !== usual)].map((name) => [name, tell(`lists.sort.${name}`)]);
}

/** Returns the parameters of an order. */
export function sortQuery(name: string): { readonly sort: string; readonly order: string } {
  return Object.hasOwn(SORTS, name) ? SORTS[name as SortName] : SORTS.line;
}
