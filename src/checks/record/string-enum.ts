import { Kind, type SchemaOptions, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';

const KIND = 'LurecheckStringEnum';

// TypeBox has enums only as unions of literals; this kind keeps the plain `enum` that OpenAPI readers expect.
TypeRegistry.Set<{ enum: readonly string[] }>(
  KIND,
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
);

/** Returns the schema of an enumeration of strings. */
export function stringEnum<const T extends string>(words: readonly T[], options: SchemaOptions = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ ...options, [Kind]: KIND, type: 'string', enum: [...words] });
}
