import { listItems } from './constants/list-methods.ts';
import { MAX_LIST, spend } from './constants/pure-methods.ts';
import { addValues } from './constants/script-operators.ts';
import { exactText, type Value } from './constants/script-value.ts';
import { takeFunction } from './script-functions.ts';
import { isAt, MARK, readVariable, type ScriptPlace, take, wordAt } from './script-place.ts';
import { TOKEN } from './tokens/script-tokens.ts';
import { unescapeLiteral } from './tokens/token-ends.ts';

/** Reads a computed name of a member; null if it is unknown. */
export function readKey(place: ScriptPlace): string | null {
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
    if (!take(place, MARK.comma)) value = place.read(place);
    if (place.at === before) place.at += 1;
  }
  place.at = Math.max(place.at, end + 1);
  return value;
}

/** Reads values between brackets, with the members of lists that are spread. */
export function readValues(place: ScriptPlace): Value[] {
  const { tokens } = place;
  const end = tokens.partners[place.at] ?? tokens.count;
  place.at += 1;
  const values: Value[] = [];
  while (place.at < end) {
    if (take(place, MARK.comma)) continue;
    const before = place.at;
    const isSpread = take(place, MARK.spread);
    const value = place.read(place);
    const items = isSpread ? spreadItems(place, value) : null;
    if (items === null) values.push(value);
    else if (values.length + items.length <= MAX_LIST) for (const item of items) values.push(item);
    if (place.at === before) place.at += 1;
  }
  place.at = Math.max(place.at, end + 1);
  return values;
}

function spreadItems({ reader }: ScriptPlace, value: Value): readonly Value[] | null {
  const items = listItems(value, reader.budget);
  return items !== null && spend(reader.budget, items.length) ? items : null;
}

/** Reads a template with its expressions; unknown ones are left out of the text. */
export function readTemplate(place: ScriptPlace): Value {
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
      if (!take(place, MARK.comma)) part = place.read(place);
      if (place.at === before) place.at += 1;
    }
    value = addValues(value, part);
  }
  return value;
}

/** Reads an object literal; methods in it are functions of their names. */
export function readRecord(place: ScriptPlace): Value {
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
    const value = place.read(place);
    if (
      value !== null &&
      typeof value === 'object' &&
      value.kind === 'record' &&
      spend(place.reader.budget, value.members.size)
    )
      for (const [key, item] of value.members) members.set(key, item);
    return;
  }
  take(place, MARK.star);
  const key = readPropertyName(place);
  if (take(place, MARK.colon)) {
    const value = place.read(place);
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
  return tokens.kinds[at] === TOKEN.mark ? null : exactText(readConstant(place));
}

/** Reads a string, a number, a template or a regular expression; null if there is none. */
export function readConstant(place: ScriptPlace): Value {
  const { tokens, at } = place;
  const kind = tokens.kinds[at];
  if (kind === TOKEN.template) return readTemplate(place);
  if (kind !== TOKEN.string && kind !== TOKEN.number && kind !== TOKEN.regex) return null;
  const { source } = tokens;
  const [start, end] = [tokens.starts[at] ?? 0, tokens.ends[at] ?? 0];
  place.at += 1;
  if (kind === TOKEN.string) {
    const isEnded = source.charCodeAt(end - 1) === source.charCodeAt(start);
    return unescapeLiteral(source.slice(start + 1, isEnded ? end - 1 : end));
  }
  const text = source.slice(start, end);
  if (kind === TOKEN.regex)
    return {
      kind: 'pattern',
      source: text.slice(1, text.lastIndexOf('/')),
      flags: text.slice(text.lastIndexOf('/') + 1),
    };
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  const plain = Number(text.replace(/_|n$/g, ''));
  return Number.isNaN(plain) ? null : plain;
}
