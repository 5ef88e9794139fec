import { markCode } from '../tokens/script-tokens.ts';
import { addValues } from './script-sum.ts';
import { either, type Value } from './script-value.ts';

/** An operator between two values. */
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
