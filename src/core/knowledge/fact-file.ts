import { type Guard, isText, listWith, textLike } from '#src/core/base/guard.ts';

const isDay = textLike(/^\d{4}-\d{2}-\d{2}$/);

/**
 * Gives the entries of a fact file, checked. Throws an Error that names the file and what is wrong with it: a damaged
 * table must stop the start, not weaken the verdicts.
 */
export function readFacts<Entries>(fileName: string, file: unknown, isEntries: Guard<Entries>): Entries {
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
  return lines.flatMap((line) => line.split(' '));
}
