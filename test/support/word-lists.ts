import { TOKEN } from './literals.ts';

/** A literal of a source, or several in a row, that is a list of words or hosts. */
export interface WordList {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly words: readonly string[];
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_.’'-]*/gu;
/** English sentences are full of these, and lists are not. */
const BINDING =
  /^(?:an|and|are|as|at|by|for|from|in|is|it|its|no|not|of|on|or|so|than|that|the|their|this|to|was|where|which|with)$/i;

/**
 * The lists of more than `most` different words or hosts in the literals of a source. Sentences and the code's own names
 * are none.
 */
export function wordListsIn(source: string, most: number): WordList[] {
  const lists: WordList[] = [];
  let run = { start: 0, end: 0, words: new Set<string>() };
  const close = () => {
    const line = source.slice(0, run.start).split('\n').length;
    if (run.words.size > most) lists.push({ line, words: [...run.words] });
  };
  for (const { 0: token, index } of source.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (!goesOn(source.slice(run.end, index))) {
      close();
      run = { start: index, end: index, words: new Set() };
    }
    for (const word of wordsIn(token)) run.words.add(word);
    run.end = index + token.length;
  }
  close();
  return lists;
}

/** What is added to a literal, or stands beside it in an array, goes on with it. */
function goesOn(between: string): boolean {
  return /^[\s+,]*$/.test(between.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, ''));
}

function wordsIn(literal: string): string[] {
  const text = literal.slice(1, literal.lastIndexOf(literal[0] ?? '')).replace(/\$\{[^}]*\}|\\./g, ' ');
  const words = text.match(WORD) ?? [];
  const isSentence = literal[0] !== '/' && words.filter((word) => BINDING.test(word)).length * 8 >= words.length;
  if (isSentence && words.length > 3) return [];
  // The code's own names are written_so; two letters of ours are mostly a part of a pattern.
  return words.filter(
    (word) => /\p{L}/u.test(word) && !word.includes('_') && (word.length > 2 || /[^\p{ASCII}]/u.test(word)),
  );
}
