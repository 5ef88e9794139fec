import { percentDecode } from './decode-text.ts';

/** A URL as far as a link inside it may be read from it. */
export interface LinkParts {
  /** The URL without its fragment. */
  readonly url: string;
  readonly host: string;
  /** Begins with a slash; percent-encoded. */
  readonly path: string;
  /** Without its question mark; percent-encoded. */
  readonly query: string;
  /** Without its number sign; percent-encoded. */
  readonly fragment: string;
}

/** Maximum number of pairs that are read of one text. */
const MAX_PAIRS = 64;

/** A name in lower case, and its value, percent-decoded. */
export type Pair = readonly [name: string, value: string];

/**
 * Returns the pairs of a query. A semicolon separates as well, as in links copied from HTML source (`&amp;`), but the
 * first value of a pair keeps its own: many addresses contain some.
 */
export function pairsOf(query: string): Pair[] {
  return query.split('&', MAX_PAIRS).flatMap((chunk) => {
    const semicolon = chunk.indexOf(';');
    const later = semicolon === -1 ? [] : chunk.slice(semicolon + 1).split(';', MAX_PAIRS);
    return [chunk, ...later.filter((one) => one.includes('='))].slice(0, MAX_PAIRS).map(pairOf);
  });
}

function pairOf(text: string): Pair {
  const equals = text.indexOf('=');
  const name = (equals === -1 ? text : text.slice(0, equals)).replace(/^amp;/, '').toLowerCase();
  return [name, equals === -1 ? '' : percentDecode(text.slice(equals + 1))];
}

/** Returns the pairs in the segments of a path: `/RU=https%3a%2f%2fexample.com/RK=2`. */
export function pairsInPath(path: string): Pair[] {
  if (!path.includes('=')) return [];
  return path.split('/', MAX_PAIRS).flatMap((segment) => (segment.includes('=') ? [pairOf(segment)] : []));
}

/** Returns the first value of a name; null if it is absent. */
export function firstValue(pairs: readonly Pair[], name: string): string | null {
  return pairs.find(([key]) => key === name)?.[1] ?? null;
}
