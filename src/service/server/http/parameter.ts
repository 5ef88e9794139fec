import { Kind, type TUnsafe, Type } from '@sinclair/typebox';
import { CHECKED_BY_FAULT } from '#src/core/base/text/json-shape.ts';
import type { FieldFault } from './field-errors.ts';

/** Maximum number of items of an answer. */
const MAX_ANSWERED_ITEMS = 500;

/** A query parameter that is a whole number from `minimum` to `maximum`. */
export function numberParameter(description: string, minimum: number, maximum: number, example: number) {
  const isOne = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  const json = { type: 'integer', minimum, maximum, description, examples: [example] };
  return Type.Optional(
    Type.Transform(parameter<number>(`a whole number from ${minimum} to ${maximum}`, isOne, json))
      .Decode(Number)
      .Encode((value) => value),
  );
}

/** A query parameter that is `true` or `false`. */
export function flagParameter(description: string) {
  const isOne = (text: string) => text === 'true' || text === 'false';
  const json = { type: 'boolean', description, examples: [true] };
  return Type.Optional(parameter<'true' | 'false'>('true or false', isOne, json));
}

/** Parameter: maximum number of items in the answer. */
export const limitParameter = numberParameter('Items in the answer; 50 by default', 1, MAX_ANSWERED_ITEMS, 50);

/**
 * Creates the schema of a parameter that is validated as text, and documented as `json`. TypeBox has no such schema.
 */
export function parameter<T = string>(expected: string, isOne: (text: string) => boolean, json: object): TUnsafe<T> {
  const fault: FieldFault = (value) => {
    if (Array.isArray(value)) return { code: 'invalid_parameter', message: 'occurs twice' };
    // Elysia checks a value again that it has decoded.
    const isValid = typeof value === 'string' ? isOne(value) : value !== undefined;
    return isValid ? null : { code: 'invalid_parameter', message: `must be ${expected}` };
  };
  return Type.Unsafe<T>({ type: 'string', ...json, [Kind]: CHECKED_BY_FAULT, fault });
}
