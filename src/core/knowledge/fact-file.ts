import { type Guard, isText, listWith, mapWith, textLike } from '#src/core/base/guard.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';

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

const isDay = textLike(/^\d{4}-\d{2}-\d{2}$/);

/**
 * Returns the entries of a fact file that is part of the program. From source, it throws an Error as {@link checkFacts}
 * does; what damages an executable damages its code as likely as a table in it.
 */
export function readFacts<Entries>(fileName: string, file: unknown, isEntries: Guard<Entries>): Entries {
  return IS_EXECUTABLE ? (file as { readonly entries: Entries }).entries : checkFacts(fileName, file, isEntries);
}

/**
 * Returns the entries of a fact file, checked. Throws an Error that names the file and what is wrong with it: a damaged
 * table must stop the start, not weaken the verdicts.
 */
export function checkFacts<Entries>(fileName: string, file: unknown, isEntries: Guard<Entries>): Entries {
  if (typeof file !== 'object' || file === null) throw new Error(`${fileName} must be a JSON object`);
  for (const key of ['source', 'retrieved', 'licence', 'entries']) {
    if (!(key in file)) throw new Error(`${fileName} lacks "${key}"`);
  }
  const { source, retrieved, licence, entries } = file as Record<string, unknown>;
  if (!isText(source)) throw new Error(`${fileName}: "source" must name its origin`);
  if (!isText(licence)) throw new Error(`${fileName}: "licence" must not be empty`);
  if (!isDay(retrieved)) {
    throw new Error(`${fileName}: "retrieved" must be a day such as 2026-01-31`);
  }
  if (!isEntries(entries)) throw new Error(`${fileName}: "entries" are not in the format of this version`);
  return entries;
}

/** Accepts a list of lines, each with names separated by one space. */
export const isNameLines = listWith(textLike(/^[!-~]+(?: [!-~]+)*$/));

/** Accepts a list of lines, each with words in any script, separated by one space. */
export const isWordLines = listWith(textLike(/^\S+(?: \S+)*$/));

/** Accepts a list of phrases, or of patterns of regular expressions. */
export const isPhrases = listWith(textLike(/^\S(?:.*\S)?$/));

/** The words of lines, in their order. */
export function wordsIn(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : lines.join(' ').split(' ');
}
