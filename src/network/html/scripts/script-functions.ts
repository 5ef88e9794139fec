import { type FunctionValue, type NameScope, RANK, type Value } from './constants/script-value.ts';
import { isAt, MARK, type ScriptPlace, wordAt } from './script-place.ts';
import { type ScriptTokens, TOKEN, WORD } from './tokens/script-tokens.ts';

/** Takes a function from its parameters on; its body is read when it is called, or at the end of the script. */
export function takeFunction(place: ScriptPlace, name: string): FunctionValue | null {
  const { tokens } = place;
  if (!isAt(place, MARK.openRound)) return null;
  const parameters = place.at;
  const body = (tokens.partners[parameters] ?? tokens.count) + 1;
  if (tokens.marks[body] !== MARK.openCurly) return null;
  const end = tokens.partners[body] ?? tokens.count;
  place.at = end + 1;
  return addFunction(place, { name, parameters, body: body + 1, end, isExpression: false });
}

/** Returns true if an arrow function begins at the place, with a name or a list as its parameters. */
export function isArrow({ tokens, at }: ScriptPlace): boolean {
  if (tokens.marks[at + 1] === MARK.arrow) return tokens.kinds[at] === TOKEN.word;
  return tokens.marks[at] === MARK.openRound && tokens.marks[(tokens.partners[at] ?? 0) + 1] === MARK.arrow;
}

/** Takes an arrow function. */
export function takeArrow(place: ScriptPlace): FunctionValue {
  const { tokens, at: parameters } = place;
  const arrow = isAt(place, MARK.openRound) ? (tokens.partners[parameters] ?? 0) + 1 : parameters + 1;
  const first = arrow + 1;
  if (tokens.marks[first] === MARK.openCurly) {
    const end = tokens.partners[first] ?? tokens.count;
    place.at = end + 1;
    return addFunction(place, { name: '', parameters, body: first + 1, end, isExpression: false });
  }
  const end = expressionEnd(tokens, first);
  place.at = end;
  return addFunction(place, { name: '', parameters, body: first, end, isExpression: true });
}

function addFunction(
  { tokens, scope, reader }: ScriptPlace,
  where: Pick<FunctionValue, 'name' | 'parameters' | 'body' | 'end' | 'isExpression'>,
): FunctionValue {
  const value: FunctionValue = {
    kind: 'function',
    tokens,
    scope,
    ...where,
    rank: RANK.never,
    returned: null,
    isOpen: false,
  };
  reader.functions.push(value);
  return value;
}

/** Ends of the expressions behind arrows, by the index of their first token; one scan finds those of a chain. */
const ENDS = new WeakMap<ScriptTokens, Map<number, number>>();

/** Words that an operand follows. */
const OPERATORS = new Set([
  'in',
  'instanceof',
  'of',
  'new',
  'typeof',
  'void',
  'delete',
  'await',
  'yield',
  'async',
  'function',
  'class',
  'extends',
]);

/** Returns the end of the expression behind an arrow, without reading it. */
function expressionEnd(tokens: ScriptTokens, start: number): number {
  const ends = ENDS.get(tokens) ?? new Map<number, number>();
  ENDS.set(tokens, ends);
  return ends.get(start) ?? findEnd(tokens, start, ends);
}

/** Finds the end of an expression, and notes it for all arrow functions that end there or before. */
function findEnd(tokens: ScriptTokens, start: number, ends: Map<number, number>): number {
  const open = [{ start, questions: 0 }];
  let questions = 0;
  let isBehindOperand = false;
  let at = start;
  while (at < tokens.count) {
    const mark = tokens.marks[at] ?? 0;
    const isOperand = isOperandAt(tokens, at);
    if (isEnding(mark) || (isBehindOperand && isOperand)) break;
    if (mark === MARK.question) questions += 1;
    if (mark === MARK.arrow) open.push({ start: at + 1, questions });
    if (mark === MARK.colon) {
      // The colon of a conditional expression ends the arrow functions that began behind its question mark.
      while (questions <= (open.at(-1)?.questions ?? -1)) ends.set(open.pop()?.start ?? 0, at);
      if (open.length === 0) return at;
      questions -= 1;
    }
    const isBracket = (tokens.partners[at] ?? 0) > at;
    isBehindOperand = isBracket || isOperand;
    at = isBracket ? afterBracket(tokens, at) : at + 1;
  }
  for (const arrow of open) ends.set(arrow.start, at);
  return at;
}

function isEnding(mark: number): boolean {
  return mark === MARK.comma || mark === MARK.semicolon || isClosing(mark);
}

function isClosing(mark: number): boolean {
  return mark === MARK.closeRound || mark === MARK.closeSquare || mark === MARK.closeCurly;
}

/** Returns true if a token is a value, or the beginning of one, but no operator and no bracket. */
function isOperandAt(tokens: ScriptTokens, at: number): boolean {
  const kind = tokens.kinds[at];
  if (kind === TOKEN.word) return !OPERATORS.has(wordAt(tokens, at));
  return kind === TOKEN.string || kind === TOKEN.number || kind === TOKEN.regex;
}

/** Returns the index behind a bracket; the last piece of a template belongs to it. */
function afterBracket(tokens: ScriptTokens, at: number): number {
  const partner = tokens.partners[at] ?? tokens.count;
  if (tokens.kinds[at] !== TOKEN.template) return partner + 1;
  return partner;
}

/** Declares the parameters of a function with the values that it is called with. */
export function bindParameters(
  { tokens, parameters }: FunctionValue,
  args: readonly Value[],
  names: NameScope['names'],
): void {
  if (tokens.marks[parameters] !== MARK.openRound) {
    names.set(wordAt(tokens, parameters), args[0] ?? null);
    return;
  }
  const end = tokens.partners[parameters] ?? tokens.count;
  let index = 0;
  for (let at = parameters + 1; at < end && index < MAX_PARAMETERS; index++) {
    const isRest = tokens.marks[at] === MARK.spread;
    const name = wordAt(tokens, isRest ? at + 1 : at);
    if (name !== '') names.set(name, isRest ? { kind: 'list', items: args.slice(index) } : (args[index] ?? null));
    while (at < end && tokens.marks[at] !== MARK.comma)
      at = (tokens.partners[at] ?? 0) > at ? (tokens.partners[at] ?? 0) + 1 : at + 1;
    at += 1;
  }
}

const MAX_PARAMETERS = 100;

/** Declares the functions of a body before it is read, as JavaScript does. */
export function hoistFunctions(place: ScriptPlace, end: number): void {
  const { tokens } = place;
  const start = place.at;
  for (let at = start; at < end; ) {
    if (tokens.marks[at] === WORD['function'] && isStatementStart(tokens, at - 1)) {
      const name = wordAt(tokens, at + 1);
      place.at = at + 2;
      const declared = name === '' ? null : takeFunction(place, name);
      if (declared) {
        place.scope.names.set(name, declared);
        at = place.at;
        continue;
      }
    }
    const partner = tokens.partners[at] ?? 0;
    at = partner > at ? afterBracket(tokens, at) : at + 1;
  }
  place.at = start;
}

/** Returns true if a statement can begin behind a token. */
function isStatementStart(tokens: ScriptTokens, before: number): boolean {
  const mark = tokens.marks[before] ?? 0;
  if (
    before < 0 ||
    mark === MARK.semicolon ||
    mark === MARK.closeCurly ||
    mark === MARK.openCurly ||
    mark === MARK.closeRound
  )
    return true;
  return tokens.kinds[before] !== TOKEN.mark && !BEFORE_EXPRESSION.has(wordAt(tokens, before));
}

/** Words behind which `function` begins an expression. */
const BEFORE_EXPRESSION = new Set([...OPERATORS, 'return', 'throw', 'case']);

/** Returns true if the body of a function holds a word that does something to the page. */
export function isActing({ tokens: { acting }, parameters, end }: FunctionValue): boolean {
  let [low, high] = [0, acting.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((acting[middle] ?? 0) < parameters) low = middle + 1;
    else high = middle;
  }
  return (acting[low] ?? end) < end;
}
