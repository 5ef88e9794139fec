import { assignMember } from './assign-member.ts';
import { readMember } from './member-access.ts';
import { callValue, construct } from './script-calls.ts';
import { isArrow, takeArrow, takeFunction } from './script-functions.ts';
import { unescapeLiteral } from './script-literal.ts';
import { ASSIGNING, OPERATORS } from './script-operators.ts';
import { isAt, MARK, type ScriptPlace, take, wordAt } from './script-place.ts';
import { addValues } from './script-sum.ts';
import { TOKEN } from './script-tokens.ts';
import { either, exactText, MAX_TEXT, type Value } from './script-value.ts';
import { assignVariable, readVariable } from './script-variables.ts';

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
  const value = apply === null || isMarkup(target.key) ? right : apply(before, right);
  assignMember(place, target.of, target.key, value);
  return value;
}

function isMarkup(key: string | null): boolean {
  return key === 'innerHTML' || key === 'outerHTML';
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
      if (tokens.kinds[place.at] !== TOKEN.word || !/^in(?:stanceof)?$/.test(wordAt(tokens, place.at))) return left;
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
const PREFIXES = new Set(['typeof', 'void', 'delete', 'await', 'yield']);

function readUnary(place: ScriptPlace): Value {
  const { tokens, reader } = place;
  const mark = tokens.marks[place.at] ?? 0;
  if (mark === 0) {
    if (tokens.kinds[place.at] === TOKEN.word && PREFIXES.has(wordAt(tokens, place.at))) {
      const isAwaited = wordAt(tokens, place.at) === 'await';
      place.at += 1;
      const value = nested(place, readUnary);
      return isAwaited ? value : null;
    }
    return readPostfix(place);
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
        const args = readArguments(place);
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

/** Reads a computed name of a member; null if it is unknown. */
function readKey(place: ScriptPlace): string | null {
  const value = exactText(readInside(place));
  return value === null || value.length > 100 ? null : value;
}

/** Reads everything up to the bracket that closes the one at the place, and returns the last value. */
export function readInside(place: ScriptPlace): Value {
  const { tokens } = place;
  const end = tokens.partners[place.at] ?? tokens.count;
  place.at += 1;
  let value: Value = null;
  while (place.at < end) {
    const before = place.at;
    value = readExpression(place);
    if (place.at === before) place.at += 1;
  }
  place.at = Math.max(place.at, end + 1);
  return value;
}

/** Reads values between brackets, with the members of lists that are spread. */
function readArguments(place: ScriptPlace): Value[] {
  const { tokens } = place;
  const end = tokens.partners[place.at] ?? tokens.count;
  place.at += 1;
  const values: Value[] = [];
  while (place.at < end) {
    if (take(place, MARK.comma)) continue;
    const before = place.at;
    const isSpread = take(place, MARK.spread);
    const value = readAssignment(place);
    const items = isSpread ? spreadItems(place, value) : null;
    if (items === null) values.push(value);
    else if (values.length + items.length <= MAX_TEXT) for (const item of items) values.push(item);
    if (place.at === before) place.at += 1;
  }
  place.at = Math.max(place.at, end + 1);
  return values;
}

function spreadItems({ reader }: ScriptPlace, value: Value): Value[] | null {
  if (value !== null && typeof value === 'object' && value.kind === 'list') return value.items;
  const text = exactText(value);
  if (text === null || text.length > reader.budget.characters) return null;
  reader.budget.characters -= text.length;
  return [...text];
}

function readPrimary(place: ScriptPlace): Value {
  const { tokens } = place;
  const { at } = place;
  switch (tokens.kinds[at]) {
    case TOKEN.word:
      return readWord(place);
    case TOKEN.string:
      place.at += 1;
      return unescapeLiteral(tokens.source.slice((tokens.starts[at] ?? 0) + 1, (tokens.ends[at] ?? 0) - 1));
    case TOKEN.number:
      place.at += 1;
      return numberAt(tokens.source.slice(tokens.starts[at], tokens.ends[at]));
    case TOKEN.template:
      return readTemplate(place);
    case TOKEN.regex:
      place.at += 1;
      return patternAt(tokens.source.slice(tokens.starts[at], tokens.ends[at]));
    case TOKEN.mark:
      return readBracket(place);
    default:
      return null;
  }
}

function readBracket(place: ScriptPlace): Value {
  switch (place.tokens.marks[place.at]) {
    case MARK.openRound:
      return readInside(place);
    case MARK.openSquare:
      return { kind: 'list', items: readArguments(place) };
    case MARK.openCurly:
      return readRecord(place);
    default:
      return null;
  }
}

function numberAt(text: string): Value {
  const number = Number(text.replace(/_|n$/g, ''));
  return Number.isNaN(number) ? null : number;
}

function patternAt(text: string): Value {
  const end = text.lastIndexOf('/');
  return { kind: 'pattern', source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** Reads a template with its expressions; unknown ones are left out of the text. */
function readTemplate(place: ScriptPlace): Value {
  const { tokens } = place;
  let value: Value = '';
  while (tokens.kinds[place.at] === TOKEN.template) {
    const { at } = place;
    const [start, end] = [tokens.starts[at] ?? 0, tokens.ends[at] ?? 0];
    const isOpen = tokens.source.startsWith('${', end - 2) && (tokens.partners[at] ?? 0) > 0;
    value = addValues(value, unescapeLiteral(tokens.source.slice(start + 1, end - (isOpen ? 2 : 1))));
    place.at += 1;
    if (!isOpen) return value;
    const next = tokens.partners[at] ?? tokens.count;
    let part: Value = null;
    while (place.at < next) {
      const before = place.at;
      part = nested(place, readExpression);
      if (place.at === before) place.at += 1;
    }
    value = addValues(value, part);
  }
  return value;
}

/** Reads an object literal; methods in it are functions of their names. */
function readRecord(place: ScriptPlace): Value {
  const { tokens } = place;
  const end = tokens.partners[place.at] ?? tokens.count;
  const members = new Map<string, Value>();
  place.at += 1;
  while (place.at < end) {
    const before = place.at;
    if (!take(place, MARK.comma)) readProperty(place, members, end);
    if (place.at === before) place.at += 1;
  }
  place.at = Math.max(place.at, end + 1);
  return { kind: 'record', members, origin: null };
}

function readProperty(place: ScriptPlace, members: Map<string, Value>, end: number): void {
  if (take(place, MARK.spread)) {
    const value = readAssignment(place);
    if (value !== null && typeof value === 'object' && value.kind === 'record')
      for (const [key, item] of value.members) members.set(key, item);
    return;
  }
  take(place, MARK.star);
  const key = readPropertyName(place);
  if (take(place, MARK.colon)) {
    const value = readAssignment(place);
    if (value !== null && typeof value === 'object' && value.kind === 'function' && value.name === '')
      value.name = key ?? '';
    if (key !== null && members.size < MAX_MEMBERS) members.set(key, value);
  } else if (isAt(place, MARK.openRound)) {
    const value = takeFunction(place, key ?? '');
    if (key !== null && members.size < MAX_MEMBERS) members.set(key, value);
  } else if (key !== null && (isAt(place, MARK.comma) || place.at >= end)) {
    members.set(key, readVariable(place, key));
  }
  // Before any other token, it was `async`, `get` or `set`.
}

const MAX_MEMBERS = 10_000;

function readPropertyName(place: ScriptPlace): string | null {
  const { tokens, at } = place;
  if (tokens.kinds[at] === TOKEN.word) {
    place.at += 1;
    return wordAt(tokens, at);
  }
  if (isAt(place, MARK.openSquare)) return readKey(place);
  return tokens.kinds[at] === TOKEN.mark ? null : exactText(readPrimary(place));
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
  const args = isAt(place, MARK.openRound) ? readArguments(place) : [];
  place.target = null;
  return construct(place, value, args);
}
