import type { TObject } from '@sinclair/typebox';
import type { BadField } from './problem.ts';
import { shorten } from './strict-json.ts';

/** Returns what is wrong with the value of a field, as a predicate; null if it is valid. */
export type FieldFault = (value: unknown) => Omit<BadField, 'field'> | null;

/** Unknown members that one refusal names at most: what is shown back of a request stays short. */
const MAX_UNKNOWN = 4;

/**
 * Checks a request field by field, in the order of its schema and with unknown members last. A field's `fault` gives
 * the text, and may be stricter than the schema.
 */
export function fieldErrors(schema: TObject, request: object): BadField[] {
  const values = new Map<string, unknown>(Object.entries(request));
  const errors: BadField[] = [];
  for (const [field, property] of Object.entries(schema.properties)) {
    const fault: FieldFault | undefined = property['fault'];
    const isRequired = schema.required?.includes(field) ?? false;
    const wrong = values.has(field) ? fault?.(values.get(field)) : isRequired ? missing(fault) : null;
    if (wrong) errors.push({ field, ...wrong });
    values.delete(field);
  }
  if (schema.additionalProperties !== false) return errors;
  const unknown = Array.from(values.keys()).slice(0, MAX_UNKNOWN);
  return [...errors, ...unknown.map(unknownMember)];
}

/** The fault of a member that a request must not have. */
export function unknownMember(name: string): BadField {
  return { field: shorten(name), code: 'unknown_member', message: 'is not a member of this request' };
}

/** The error of a required field that is absent, with the code of the kind of field. */
function missing(fault: FieldFault | undefined): ReturnType<FieldFault> {
  return { code: fault?.(undefined)?.code ?? 'invalid_body', message: 'is required' };
}
