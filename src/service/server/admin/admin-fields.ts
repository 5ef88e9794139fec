import { type TInteger, type TNumber, type TString, Type } from '@sinclair/typebox';
import type { FieldFault } from '../http/field-errors.ts';

/** A member that may be null. */
export function nullable<T extends TString | TInteger | TNumber>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** The fault of a member of a body. */
export function faultUnless(isValid: (value: unknown) => boolean, message: string): FieldFault {
  return (value) => (isValid(value) ? null : { code: 'invalid_body', message });
}

/** Returns true for a time in ISO 8601, and for null. */
export function isTimeOrNull(value: unknown): boolean {
  return (
    value === null || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)))
  );
}
