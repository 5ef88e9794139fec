import { mapOf } from '#src/base/guard.ts';
import { isPhrases } from './fact-file.ts';

/** What a text is searched for: pieces of regular expressions, by how they stand in it. */
export interface Patterns {
  /** Neither an ASCII letter nor a digit nor an underscore stands beside these. */
  readonly whole?: readonly string[];
  /** None stands before these. */
  readonly beginnings?: readonly string[];
  /** These count wherever they are, as in scripts that set no spaces. */
  readonly anywhere?: readonly string[];
}

/** One expression that finds whatever the patterns say. */
export function searchFor({ whole, beginnings, anywhere }: Patterns, flags = ''): RegExp {
  const parts = [
    whole && `\\b(?:${whole.join('|')})\\b`,
    beginnings && `\\b(?:${beginnings.join('|')})`,
    ...(anywhere ?? []),
  ];
  return new RegExp(parts.filter((part) => part !== undefined).join('|'), flags);
}

/** Whether it is {@link Patterns}: of none, everything would be found, and a way that is misspelt would find nothing. */
export function isPatterns(value: unknown): value is Patterns {
  if (!mapOf(isPhrases)(value)) return false;
  const ways = Object.keys(value);
  return ways.length > 0 && ways.every((way) => way === 'whole' || way === 'beginnings' || way === 'anywhere');
}
