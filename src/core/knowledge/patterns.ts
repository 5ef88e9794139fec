import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases } from './fact-file.ts';

/** What a text is searched for: pieces of regular expressions, by how they stand in it. */
export interface Patterns {
  /** No letter or digit stands beside these. */
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

/** One expression that finds whatever the patterns say. */
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

/** Whether it is {@link Patterns}: of none, everything would be found, and a way that is misspelt would find nothing. */
export function isPatterns(value: unknown): value is Patterns {
  if (!mapWith(isPhrases)(value)) return false;
  const ways = Object.keys(value);
  return ways.length > 0 && ways.every((way) => way === 'whole' || way === 'beginnings' || way === 'anywhere');
}
