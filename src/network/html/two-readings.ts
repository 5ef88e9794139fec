import type { PageDocument } from './document.ts';

/**
 * Returns the document of the first reading with the second one as its alternative. Ways out of the second one may be
 * taken, and what was not read of it was not read of the page.
 */
export function withOtherReading([first, second]: readonly PageDocument[]): PageDocument {
  if (first === undefined) throw new TypeError('a page without a reading');
  if (second === undefined) return first;
  const known = new Set(first.exits.map(({ url }) => url));
  const targets = new Set(first.refreshes.map(({ url }) => url));
  return {
    ...first,
    limits: [...new Set([...first.limits, ...second.limits])].sort(),
    exits: [...first.exits, ...second.exits.filter(({ url }) => !known.has(url))],
    refreshes: [
      ...first.refreshes,
      ...second.refreshes.filter(({ url }) => !targets.has(url)).map((refresh) => ({ ...refresh, followed: null })),
    ],
    alternative: second,
  };
}
