import { markCode } from '../tokens/script-tokens.ts';
import { either, exactText, mapChoice, type TextValue, textValue, type Value } from './script-value.ts';

type Part = Pick<TextValue, 'text' | 'knownLength' | 'encoded' | 'isPlain'>;

/** Returns `left + right` as JavaScript has it; unknown parts are left out of a text. */
export function addValues(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') return textValue(left + right, null, false);
  if (isChoice(left)) return mapChoice(left, (one) => addValues(one, right));
  if (isChoice(right)) return mapChoice(right, (one) => addValues(left, one));
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  if (!isText(left) && !isText(right)) return null;
  const [head, tail] = [textPart(left), textPart(right)];
  const behind = tail.knownLength === null ? null : head.text.length + tail.knownLength;
  const isPlain = [head, tail].every((part) => part.knownLength === null || part.isPlain);
  return textValue(head.text + tail.text, head.knownLength ?? behind, head.encoded || tail.encoded, isPlain);
}

/** Returns a value as a part of a text. */
export function textPart(value: Value): Part {
  if (value !== null && typeof value === 'object' && value.kind === 'text') return value;
  const text =
    value !== null && typeof value === 'object' && value.kind === 'list' ? listText(value.items) : exactText(value);
  return { text: text ?? '', knownLength: text === null ? 0 : null, encoded: false };
}

/** Maximum items of a list that becomes a text without `join`. */
const MAX_LIST = 100;

function listText(items: readonly Value[]): string | null {
  const texts = items.length > MAX_LIST ? [null] : items.map(exactText);
  return texts.includes(null) ? null : texts.join(',');
}

function isText(value: Value): boolean {
  if (typeof value === 'string') return true;
  return value !== null && typeof value === 'object' && (value.kind === 'text' || value.kind === 'list');
}

function isChoice(value: Value): boolean {
  return value !== null && typeof value === 'object' && value.kind === 'choice';
}

interface Operator {
  readonly precedence: number;
  readonly apply: (left: Value, right: Value) => Value;
}

const numeric =
  (calculate: (left: number, right: number) => number) =>
  (left: Value, right: Value): Value =>
    typeof left === 'number' && typeof right === 'number' ? finite(calculate(left, right)) : null;

const unknown = (): Value => null;

const TABLE: readonly (readonly [string, number, Operator['apply']])[] = [
  ['??', 1, either],
  ['||', 1, either],
  // What runs on a condition is its right side.
  ['&&', 2, (_, right) => right],
  ['|', 3, numeric((left, right) => left | right)],
  ['^', 4, numeric((left, right) => left ^ right)],
  ['&', 5, numeric((left, right) => left & right)],
  ...['==', '!=', '===', '!=='].map((mark) => [mark, 6, unknown] as const),
  ...['<', '>', '<=', '>='].map((mark) => [mark, 7, unknown] as const),
  ['<<', 8, numeric((left, right) => left << right)],
  ['>>', 8, numeric((left, right) => left >> right)],
  ['>>>', 8, numeric((left, right) => left >>> right)],
  ['+', 9, addValues],
  ['-', 9, numeric((left, right) => left - right)],
  ['*', 10, numeric((left, right) => left * right)],
  ['/', 10, numeric((left, right) => left / right)],
  ['%', 10, numeric((left, right) => left % right)],
  ['**', 11, numeric((left, right) => left ** right)],
];

/** Operators by the code of their mark; `in` and `instanceof` are words. */
export const OPERATORS: ReadonlyMap<number, Operator> = new Map(
  TABLE.map(([mark, precedence, apply]) => [markCode(mark), { precedence, apply }]),
);

/** Operators by the code of the mark that also assigns, such as `+=`; null for `=` itself. */
export const ASSIGNING: ReadonlyMap<number, Operator['apply'] | null> = new Map([
  [markCode('='), null],
  ...TABLE.map(([mark, , apply]) => [markCode(`${mark}=`), apply] as const).filter(([code]) => !OPERATORS.has(code)),
]);

function finite(value: number): Value {
  return Number.isFinite(value) ? value : null;
}
