import { callTextMethod, MAX_LIST, simplePattern, spend, type TextBudget } from './pure-methods.ts';
import { textPart } from './script-operators.ts';
import { exactText, type ListValue, MAX_TEXT, textValue, type Value } from './script-value.ts';

/** Calls a function of the script; null if what it returns is unknown. */
export type CallBack = (args: readonly Value[]) => Value;

type ListMethod = (list: ListValue, args: readonly Value[], call: CallBack) => Value;

const whole = (value: Value | undefined): number | undefined =>
  typeof value === 'number' ? Math.trunc(value) : undefined;

const LIST_METHODS: Readonly<Record<string, ListMethod>> = {
  join: ({ items }, [separator]) => joined(items, separator === undefined ? ',' : exactText(separator)),
  toString: ({ items }: ListValue) => joined(items, ','),
  reverse: ({ items }) => listValue(turned(items.reverse())),
  toReversed: ({ items }) => listValue(turned(items.toReversed())),
  slice: ({ items }, [from, to]) => listValue(items.slice(whole(from), whole(to))),
  concat: ({ items }, others) => listValue([...items, ...others.flatMap((other) => listItems(other) ?? [other])]),
  push: (list, values) => appended(list, values),
  unshift: (list, values) => (list.items.length + values.length > MAX_LIST ? null : list.items.unshift(...values)),
  shift: ({ items }) => items.shift() ?? null,
  pop: ({ items }) => items.pop() ?? null,
  at: ({ items }, [at]) => items.at(whole(at) ?? 0) ?? null,
  map: ({ items }, _, call) => listValue(items.map((item, at) => call([item, at]))),
  forEach: ({ items }, _, call) => {
    for (const [at, item] of items.entries()) call([item, at]);
    return null;
  },
  reduce: ({ items }, [, start], call) => {
    const [first = null] = items;
    return (start === undefined ? items.slice(1) : items).reduce(
      (sum: Value, item) => call([sum, item]),
      start ?? first,
    );
  },
};

/** Returns the result of a method of a list; null if it is unknown, or does not belong to lists. */
export function callListMethod(
  list: ListValue,
  name: string,
  args: readonly Value[],
  call: CallBack,
  budget: TextBudget,
): Value {
  const method = Object.hasOwn(LIST_METHODS, name) ? LIST_METHODS[name] : undefined;
  return method !== undefined && spend(budget, list.items.length * 2) ? method(list, args, call) : null;
}

/** Divides a text as `split` does. */
export function splitText(text: string, separator: Value | undefined, budget: TextBudget): Value {
  if (!spend(budget, text.length)) return null;
  const isPattern = separator !== null && typeof separator === 'object' && separator.kind === 'pattern';
  const pattern = isPattern ? simplePattern(separator) : separator;
  return typeof pattern === 'string' || pattern instanceof RegExp ? listValue(text.split(pattern)) : null;
}

/** Returns the items of a list, or the characters of a text; null for any other value. */
export function listItems(value: Value, budget?: TextBudget): Value[] | null {
  if (value !== null && typeof value === 'object' && value.kind === 'list') return value.items;
  const text = budget === undefined ? null : exactText(value);
  return text !== null && budget !== undefined && spend(budget, text.length) ? [...text] : null;
}

/** Returns a list; null if it is too long. */
export function listValue(items: Value[]): Value {
  return items.length > MAX_LIST ? null : { kind: 'list', items };
}

function appended({ items }: ListValue, values: readonly Value[]): Value {
  if (items.length + values.length > MAX_LIST) return null;
  for (const value of values) items.push(value);
  return items.length;
}

/** Marks what is turned round as decoded, by its first item. */
function turned([first = null, ...others]: readonly Value[]): Value[] {
  const marked: Value =
    typeof first === 'string' ? { kind: 'text', text: first, knownLength: null, encoded: true } : first;
  return [marked, ...others];
}

function joined(items: readonly Value[], separator: string | null): Value {
  if (separator === null) return null;
  let text = '';
  let known: number | null = null;
  let encoded = false;
  for (const [at, item] of items.entries()) {
    const part = textPart(item);
    if (at > 0) text += separator;
    if (part.knownLength !== null) known ??= text.length + part.knownLength;
    encoded ||= part.encoded;
    text += part.text;
    if (text.length > MAX_TEXT) return null;
  }
  return textValue(text, known, encoded);
}

/** Returns the text of character codes as `fromCharCode` or `fromCodePoint` has it, as decoded; null if one is unknown. */
export function textOfCodes(codes: readonly Value[], isPoints: boolean): Value {
  let text = '';
  for (const code of codes) {
    const number = typeof code === 'string' ? Number(code) : code;
    if (typeof number !== 'number' || !(number >= 0) || (isPoints && number > 0x10ffff)) return null;
    text += isPoints ? String.fromCodePoint(Math.trunc(number)) : String.fromCharCode(number);
    if (text.length > MAX_TEXT) return null;
  }
  return { kind: 'text', text, knownLength: null, encoded: true };
}

/** Applies a method of texts to a value; see {@link callTextMethod}. A text that was decoded stays marked as such. */
export function callOnText(value: Value, name: string, args: readonly Value[], budget: TextBudget): Value {
  const text = exactText(value);
  if (text === null) return null;
  const isEncoded = value !== null && typeof value === 'object';
  const result = name === 'split' ? splitText(text, args[0], budget) : callTextMethod(text, name, args, budget);
  return isEncoded && typeof result === 'string'
    ? { kind: 'text', text: result, knownLength: null, encoded: true }
    : result;
}
