import { Kind, type TSchema, Type } from '@sinclair/typebox';
import { isText } from '#src/core/base/guard.ts';
import { CHECKED_BY_FAULT, type FieldFault } from '../http/field-errors.ts';
import { nullable } from './answers/nullable.ts';

const TIME_OR_NULL = 'must be a time such as 2026-12-31T00:00:00Z, or null';

/** A member of a body with this schema in the document. A value for which `isValid` is false is refused with `message`. */
export function member<T extends TSchema>(schema: T, isValid: (value: unknown) => boolean, message: string): T {
  const fault: FieldFault = (value) => (isValid(value) ? null : { code: 'invalid_body', message });
  return { ...schema, [Kind]: CHECKED_BY_FAULT, fault };
}

/** Returns true for a time in ISO 8601, and for null. */
function isTimeOrNull(value: unknown): boolean {
  return value === null || (isText(value) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)));
}

/** A member that is a text. */
export function textMember(description: string) {
  return member(Type.String({ description }), isText, 'must be a string');
}

/** A member that is a time in ISO 8601, or null. */
export function timeOrNull(description: string) {
  return member(nullable(Type.String({ format: 'date-time' }), description), isTimeOrNull, TIME_OR_NULL);
}
