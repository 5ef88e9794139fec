import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases } from './fact-file.ts';

/** Pieces of regular expressions to search a text for, by their boundaries. */
export interface Patterns {
  /** Bounded by neither letters nor digits. */
  readonly whole?: readonly string[];
  /** None stands before these. */
  readonly beginnings?: readonly string[];
  /** These count wherever they are, as in scripts that set no spaces. */
  readonly anywhere?: readonly string[];
}

/** Letters beyond ASCII at an end of a pattern, beside which `\b` finds no boundary. */
const FOREIGN = /^\P{ASCII}|\P{ASCII}$/u;
const BEGINNING = '(?<![\\p{L}\\p{N}_])';
const END = '(?![\\p{L}\\p{N}_])';

/** Returns one expression that matches any of the patterns. */
export function searchFor({ whole, beginnings, anywhere = [] }: Patterns, flags = ''): RegExp {
  const parts = [...bounded(whole, '\\b', END), ...bounded(beginnings, '', ''), ...anywhere];
  return new RegExp(parts.join('|'), parts.some((part) => part.startsWith(BEGINNING)) ? `${flags}u` : flags);
}

function bounded(patterns: readonly string[] = [], latinEnd: string, foreignEnd: string): string[] {
  const { latin, foreign } = Object.groupBy(patterns, (pattern) => (FOREIGN.test(pattern) ? 'foreign' : 'latin'));
  const parts = [
    latin && `\\b(?:${latin.join('|')})${latinEnd}`,
    foreign && `${BEGINNING}(?:${foreign.join('|')})${foreignEnd}`,
  ];
  return parts.filter((part) => part !== undefined);
}

/**
 * Returns true for {@link Patterns}. An empty set is rejected, because it would match everything, and so is an unknown
 * key, because it would match nothing.
 */
export function isPatterns(value: unknown): value is Patterns {
  if (!mapWith(isPhrases)(value)) return false;
  const ways = Object.keys(value);
  return ways.length > 0 && ways.every((way) => way === 'whole' || way === 'beginnings' || way === 'anywhere');
}
