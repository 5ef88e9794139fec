import { quoted } from '../quoted.ts';
import { entryValue, isHash } from './entry-value.ts';
import { FEED_TERMS } from './feed-terms.ts';
import { splitComment } from './list-comment.ts';
import { eachLine, type ListFileItem, type ListFormat, listedEntry, skippedLine } from './list-format.ts';

/** One entry per line, with comments behind `#`, `;` or `//`, as Spamhaus DROP and access lists of Squid are, too. */
export const plainFormat: ListFormat = { name: 'plain', isLenient: false, read: eachLine(() => readPlainLine) };

const TITLES = new Set([...FEED_TERMS.value, ...FEED_TERMS.lists]);

function readPlainLine(line: string, number: number): readonly ListFileItem[] {
  const { text, comment } = splitComment(line);
  // The title of a table with one column.
  if (text === '' || (number === 1 && TITLES.has(text.toLowerCase()))) return [];
  if (isHash(text)) return [skippedLine(number, `${quoted(text)} is a hash`)];
  return [listedEntry(entryValue(text), number, { comment })];
}
