import { Kind, type SchemaOptions, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';

const KIND = 'LurecheckStringEnum';

// TypeBox knows enums as unions of literals only; this kind keeps the plain `enum` that readers of the OpenAPI file expect.
TypeRegistry.Set<{ enum: readonly string[] }>(
  KIND,
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
);

/** One of a few words, as a schema. */
export function stringEnum<const T extends string>(words: readonly T[], options: SchemaOptions = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ ...options, [Kind]: KIND, type: 'string', enum: [...words] });
}
