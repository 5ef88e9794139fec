import type { Value } from './constants/script-value.ts';
import type { CodePlace } from './effects/script-reader.ts';
import { markCode, type ScriptTokens, TOKEN } from './tokens/script-tokens.ts';

/** Place in the tokens of a script up to which it was read. */
export interface ScriptPlace extends CodePlace {
  readonly tokens: ScriptTokens;
  at: number;
  /** Nesting of loops, in which a text that grows is known only in part. */
  loops: number;
  /** Nesting of code that runs on a condition. */
  conditions: number;
  mayHaveEnded: boolean;
  /** Values that the function returns. */
  returned: Value;
  /** Target of an assignment that may follow: a variable, a member, or null. */
  target: { readonly of: Value; readonly key: string | null; readonly isVariable: boolean } | null;
  /** Reads an expression up to the next comma, for those who read what is around it. */
  readonly read: (place: ScriptPlace) => Value;
  /** Objects of `with` statements around the place. */
  readonly withs: Value[];
}

/** Returns true if the next token is the mark. */
export function isAt({ tokens, at }: ScriptPlace, mark: number): boolean {
  return tokens.marks[at] === mark;
}

/** Takes the next token if it is the mark. */
export function take(place: ScriptPlace, mark: number): boolean {
  if (place.tokens.marks[place.at] !== mark) return false;
  place.at += 1;
  return true;
}

/** Returns the name or keyword at an index; an empty text if there is none. */
export function wordAt({ kinds, ends, words }: ScriptTokens, index: number): string {
  return kinds[index] === TOKEN.word ? (words[ends[index] ?? 0] ?? '') : '';
}

/** Marks that expressions and statements consist of. */
export const MARK = {
  comma: markCode(','),
  semicolon: markCode(';'),
  colon: markCode(':'),
  question: markCode('?'),
  optional: markCode('?.'),
  dot: markCode('.'),
  spread: markCode('...'),
  arrow: markCode('=>'),
  assign: markCode('='),
  addTo: markCode('+='),
  increment: markCode('++'),
  decrement: markCode('--'),
  plus: markCode('+'),
  minus: markCode('-'),
  not: markCode('!'),
  complement: markCode('~'),
  star: markCode('*'),
  openRound: markCode('('),
  closeRound: markCode(')'),
  openSquare: markCode('['),
  closeSquare: markCode(']'),
  openCurly: markCode('{'),
  closeCurly: markCode('}'),
} as const;
