import { Kind, type TUnsafe, Type } from '@sinclair/typebox';
import { CHECKED_BY_FAULT } from '#src/core/base/text/checked-member.ts';
import type { FieldFault } from './field-errors.ts';

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
