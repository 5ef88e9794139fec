import { ASSIGNING, addValues, OPERATORS } from './constants/script-operators.ts';
import { either, type Value } from './constants/script-value.ts';
import { assignMember } from './effects/assign-member.ts';
import { readMember } from './effects/member-access.ts';
import { callValue, construct } from './effects/script-calls.ts';
import { readConstant, readInside, readKey, readRecord, readTemplate, readValues } from './script-brackets.ts';
import { isArrow, takeArrow, takeFunction } from './script-functions.ts';
import { assignVariable, isAt, MARK, readVariable, type ScriptPlace, take, wordAt } from './script-place.ts';
import { TOKEN, WORD } from './tokens/script-tokens.ts';

/** Maximum nesting of expressions, statements and calls; deeper code is read as if it stood outside. */
const MAX_DEPTH = 80;

/** Reads an expression, with commas, and returns its value. Whatever it does to the page is noted. */
export function readExpression(place: ScriptPlace): Value {
  let value = readAssignment(place);
  while (take(place, MARK.comma)) value = readAssignment(place);
  return value;
}

/** Reads an expression up to the next comma. */
export function readAssignment(place: ScriptPlace): Value {
  const { reader, tokens } = place;
  if (reader.depth >= MAX_DEPTH) return null;
  reader.depth += 1;
  const value = isArrow(place) ? takeArrow(place) : readConditional(place);
  const apply = ASSIGNING.get(tokens.marks[place.at] ?? 0);
  const { target } = place;
  const result = apply === undefined || target === null ? value : assign(place, target, value, apply);
  reader.depth -= 1;
  return result;
}

function assign(
  place: ScriptPlace,
  target: NonNullable<ScriptPlace['target']>,
  before: Value,
  apply: ((left: Value, right: Value) => Value) | null,
): Value {
  const isAdded = isAt(place, MARK.addTo);
  place.at += 1;
  const right = readAssignment(place);
  place.target = null;
  if (target.isVariable) {
    const value = apply === null ? right : apply(before, right);
    // In a loop, what is added is only the first part of it.
    assignVariable(
      place,
      target.key ?? '',
      isAdded && place.loops > 0 ? addValues(value, null) : value,
      apply === null,
    );
    return value;
  }
  // Markup that is added to an element is markup of its own.
  const value =
    apply === null || target.key === 'innerHTML' || target.key === 'outerHTML' ? right : apply(before, right);
  assignMember(place, target.of, target.key, value);
  return value;
}

function readConditional(place: ScriptPlace): Value {
  const value = readBinary(place, 0);
  if (!take(place, MARK.question)) return value;
  place.conditions += 1;
  const one = readAssignment(place);
  const other = take(place, MARK.colon) ? readAssignment(place) : null;
  place.conditions -= 1;
  place.target = null;
  return either(one, other);
}

function readBinary(place: ScriptPlace, least: number): Value {
  const { tokens } = place;
  let left = readUnary(place);
  for (;;) {
    const operator = OPERATORS.get(tokens.marks[place.at] ?? 0);
    if (operator === undefined) {
      const mark = tokens.marks[place.at];
      if (mark !== WORD['in'] && mark !== WORD['instanceof']) return left;
      place.at += 1;
      readUnary(place);
      left = null;
      place.target = null;
      continue;
    }
    if (operator.precedence <= least) return left;
    place.at += 1;
    const isCondition = operator.precedence <= 2;
    if (isCondition) place.conditions += 1;
    left = operator.apply(left, readBinary(place, operator.precedence));
    if (isCondition) place.conditions -= 1;
    place.target = null;
  }
}

/** Operators before a value whose result is unknown, or of no interest. */
const PREFIXES = new Set(['typeof', 'void', 'delete', 'await', 'yield'].map((word) => WORD[word]));

function readUnary(place: ScriptPlace): Value {
  const { tokens, reader } = place;
  const mark = tokens.marks[place.at] ?? 0;
  if (mark <= 0) {
    if (mark === 0 || !PREFIXES.has(mark)) return readPostfix(place);
    place.at += 1;
    const value = nested(place, readUnary);
    return mark === WORD['await'] ? value : null;
  }
  switch (mark) {
    case MARK.plus:
    case MARK.minus:
    case MARK.not:
    case MARK.complement:
    case MARK.increment:
    case MARK.decrement: {
      if (reader.depth >= MAX_DEPTH) return null;
      place.at += 1;
      const value = nested(place, readUnary);
      if (mark === MARK.increment || mark === MARK.decrement) return step(place, value, mark);
      place.target = null;
      return unary(mark, value);
    }
    default:
      return readPostfix(place);
  }
}

function nested(place: ScriptPlace, read: (place: ScriptPlace) => Value): Value {
  const { reader } = place;
  if (reader.depth >= MAX_DEPTH) return null;
  reader.depth += 1;
  const value = read(place);
  reader.depth -= 1;
  return value;
}

function unary(mark: number, value: Value): Value {
  if (mark === MARK.not) return typeof value === 'number' ? value === 0 : typeof value === 'boolean' ? !value : null;
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : null;
  if (number === null || Number.isNaN(number)) return null;
  return mark === MARK.minus ? -number : mark === MARK.complement ? ~number : number;
}

function step(place: ScriptPlace, value: Value, mark: number): Value {
  const by = mark === MARK.increment ? 1 : -1;
  const next = typeof value === 'number' && place.loops === 0 ? value + by : null;
  const { target } = place;
  if (target?.isVariable) assignVariable(place, target.key ?? '', next, true);
  place.target = null;
  return next;
}

/** Reads a value with the members, calls and steps that follow it. */
function readPostfix(place: ScriptPlace): Value {
  const { tokens } = place;
  place.target = null;
  let value = readPrimary(place);
  for (;;) {
    switch (tokens.marks[place.at]) {
      case MARK.dot:
      case MARK.optional: {
        const isDot = isAt(place, MARK.dot);
        place.at += 1;
        if (tokens.kinds[place.at] === TOKEN.word) value = member(place, value, wordAt(tokens, place.at++));
        else if (isDot) return null;
        break;
      }
      case MARK.openSquare:
        value = member(place, value, readKey(place));
        break;
      case MARK.openRound: {
        const args = readValues(place);
        value = callValue(place, value, args);
        place.target = null;
        break;
      }
      case MARK.increment:
      case MARK.decrement:
        step(place, value, tokens.marks[place.at++] ?? 0);
        break;
      default:
        if (tokens.kinds[place.at] !== TOKEN.template || tokens.source[tokens.starts[place.at] ?? 0] !== '`')
          return value;
        // A tag: of the functions of the browser, only `String.raw` is constant.
        value = readTemplate(place);
        place.target = null;
    }
  }
}

function member(place: ScriptPlace, of: Value, key: string | null): Value {
  place.target = { of, key, isVariable: false };
  return readMember(place.reader, of, key);
}

function readPrimary(place: ScriptPlace): Value {
  const { tokens, at } = place;
  if (tokens.kinds[at] === TOKEN.word) return readWord(place);
  switch (tokens.marks[at]) {
    case MARK.openRound:
      return readInside(place);
    case MARK.openSquare:
      return { kind: 'list', items: readValues(place) };
    case MARK.openCurly:
      return readRecord(place);
    default:
      return readConstant(place);
  }
}

/** Reads a name, or an expression that begins with a keyword. */
function readWord(place: ScriptPlace): Value {
  const { tokens } = place;
  const word = wordAt(tokens, place.at);
  place.at += 1;
  switch (word) {
    case 'function':
      take(place, MARK.star);
      if (isAt(place, MARK.openRound)) return takeFunction(place, '');
      place.at += 1;
      return takeFunction(place, wordAt(tokens, place.at - 1));
    case 'async':
      return isArrow(place) ? takeArrow(place) : wordAt(tokens, place.at) === 'function' ? readWord(place) : null;
    case 'new':
      return readNew(place);
    case 'true':
    case 'false':
      return word === 'true';
    case 'null':
    case 'undefined':
      return null;
    default:
      place.target = { of: null, key: word, isVariable: true };
      return readVariable(place, word);
  }
}

/** Reads a constructor with its members, and its arguments. */
function readNew(place: ScriptPlace): Value {
  const { tokens } = place;
  let value = nested(place, readPrimary);
  for (;;) {
    if (take(place, MARK.dot)) value = readMember(place.reader, value, wordAt(tokens, place.at++));
    else if (isAt(place, MARK.openSquare)) value = readMember(place.reader, value, readKey(place));
    else break;
  }
  const args = isAt(place, MARK.openRound) ? readValues(place) : [];
  place.target = null;
  return construct(place, value, args);
}
