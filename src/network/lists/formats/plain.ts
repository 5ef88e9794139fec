import { eachLine, type ListFormat, listedEntry } from './list-format.ts';

/** One entry a line; `#` and what follows it is a comment where it begins a line or stands behind white space. */
export const plainFormat: ListFormat = {
  name: 'plain',
  recognises: () => true,
  read: eachLine(readPlainLine),
};

const COMMENT = /(?:^|\s)#\s*([\s\S]*)/;

function readPlainLine(line: string, number: number) {
  const comment = COMMENT.exec(line);
  const value = (comment ? line.slice(0, comment.index) : line).trim();
  return value === '' ? [] : [listedEntry(value, number, { comment: comment?.[1]?.trim() || null })];
}
