import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { isText } from '../guard.ts';
import { nullable } from './nullable.ts';

/** Kind of schemas whose `fault` is all that is checked; the rest of such a schema is for the document. */
export const CHECKED_BY_FAULT = 'LurecheckField';

TypeRegistry.Set<{ fault: (value: unknown) => object | null }>(
  CHECKED_BY_FAULT,
  (schema, value) => schema.fault(value) === null,
);

const TIME_OR_NULL = 'must be a time such as 2026-12-31T00:00:00Z, or null';

/** A member of a body with this schema in the document. A value for which `isValid` is false is refused with `message`. */
export function member<T extends TSchema>(schema: T, isValid: (value: unknown) => boolean, message: string): T {
  const fault = (value: unknown) => (isValid(value) ? null : { code: 'invalid_body', message });
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
