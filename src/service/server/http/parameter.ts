import { Kind, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';
import type { FieldFault } from './field-errors.ts';

/** TypeBox knows no schema that is a text for the server and, in the document, what the text stands for. */
const KIND = 'LurecheckParameter';

TypeRegistry.Set<{ fault: FieldFault }>(KIND, (schema, value) => schema.fault(value) === null);

/** A parameter that is `expected`; `json` is its schema in the document. */
export function parameter<T = string>(expected: string, isOne: (text: string) => boolean, json: object): TUnsafe<T> {
  const fault: FieldFault = (value) => {
    if (Array.isArray(value)) return { code: 'invalid_parameter', message: 'occurs twice' };
    // Elysia checks a value again that it has decoded.
    const isValid = typeof value === 'string' ? isOne(value) : value !== undefined;
    return isValid ? null : { code: 'invalid_parameter', message: `must be ${expected}` };
  };
  return Type.Unsafe<T>({ type: 'string', ...json, [Kind]: KIND, fault });
}
