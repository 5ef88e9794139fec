/** Sentence of a message around a link, without the link. */
export interface LinkSentence {
  readonly before: string;
  readonly after: string;
}

/** Maximum length on each side, in UTF-16 code units. */
const MAX_SIDE = 140;

/** Text that is searched on each side, before white space is collapsed. */
const SEARCHED = 4 * MAX_SIDE;

/** End of a sentence or a line. */
const END = /\n|[.!?…]["'”’»)]*(?=\s)|[。！？]/g;

/**
 * Returns the sentence around a range of a text whose blocks are separated by line breaks; for a block without other
 * text, the line before.
 */
export function sentenceAround(text: string, start: number, end: number): LinkSentence {
  const left = text.slice(Math.max(0, start - SEARCHED), start);
  const right = text.slice(end, end + SEARCHED);
  const lastEnd = [...left.matchAll(END)].at(-1);
  const begin = lastEnd === undefined ? 0 : lastEnd.index + lastEnd[0].length;
  const before = ending(left.slice(begin));
  const firstEnd = right.search(END);
  const after = beginning(firstEnd === -1 ? right : right.slice(0, firstEnd + 1));
  if (before !== '' || /[\p{L}\p{N}]/u.test(after)) return { before, after };
  const lineBefore = left.trimEnd().split('\n').at(-1) ?? '';
  return { before: ending(lineBefore), after: '' };
}

function ending(text: string): string {
  const line = oneLine(text);
  return line.length <= MAX_SIDE ? line : `…${line.slice(-MAX_SIDE).toWellFormed()}`;
}

function beginning(text: string): string {
  const line = oneLine(text);
  return line.length <= MAX_SIDE ? line : `${line.slice(0, MAX_SIDE).toWellFormed()}…`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
