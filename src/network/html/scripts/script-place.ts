import { DOCUMENT, either, LOCATION, type NameScope, THIS, type Value, WINDOW } from './constants/script-value.ts';
import { assignMember } from './effects/assign-member.ts';
import { readGlobal, readMember } from './effects/member-access.ts';
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

/** Members that `with` gives a name of their own. */
const OF_DOCUMENT = /^(?:write|writeln|location|title|body|getElementById|createElement)$/;
const OF_LOCATION = /^(?:href|replace|assign)$/;

/** Returns the value of a variable, or of a global of that name. */
export function readVariable(place: ScriptPlace, name: string): Value {
  const around = withAround(place, name);
  if (around !== null) return readMember(place.reader, around, name);
  if (name === 'this') return place.scope.outer === null ? WINDOW : THIS;
  for (let scope: NameScope | null = place.scope; scope !== null; scope = scope.outer) {
    const value = scope.names.get(name);
    if (value !== undefined && (scope.outer !== null || value !== null)) return value;
  }
  return readGlobal(place.reader, name);
}

/** Sets a variable; one that nothing declares is a member of the window. */
export function assignVariable(place: ScriptPlace, name: string, value: Value, isReplaced: boolean): void {
  const around = withAround(place, name);
  if (around !== null) {
    assignMember(place, around, name, value);
    return;
  }
  if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '') value.name = name;
  for (let scope: NameScope | null = place.scope; scope !== null; scope = scope.outer) {
    const before = scope.names.get(name);
    if (before === undefined || (scope.outer === null && name === 'location')) continue;
    const isOneOfTwo = isReplaced && place.conditions > 0 && before !== '';
    scope.names.set(name, isOneOfTwo ? either(before, value) : value);
    return;
  }
  assignMember(place, WINDOW, name, value);
}

/** Declares a variable in the function around it, or for the page. */
export function declareVariable(place: ScriptPlace, name: string, value: Value): void {
  if (place.scope.outer === null && name === 'location') assignMember(place, WINDOW, name, value);
  else if (place.scope.names.size < MAX_NAMES) place.scope.names.set(name, value);
  if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '') value.name = name;
}

/** Maximum number of names of one function, or of the page. */
const MAX_NAMES = 20_000;

function withAround({ withs }: ScriptPlace, name: string): Value {
  const around = withs.at(-1) ?? null;
  if (around === DOCUMENT && OF_DOCUMENT.test(name)) return around;
  return around === LOCATION && OF_LOCATION.test(name) ? around : null;
}
