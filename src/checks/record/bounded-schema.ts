import { Kind, type SchemaOptions, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox';
import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';

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

/** Maximum number of items of an untrusted list. */
export const MAX_ITEMS = 128;

/** Returns the schema of an untrusted text. */
export function boundedText(description: string) {
  return Type.String({ maxLength: MAX_TEXT_LENGTH, description });
}

/** Returns the schema of an untrusted text or null. */
export function boundedTextOrNull(description: string) {
  return Type.Union([Type.String({ maxLength: MAX_TEXT_LENGTH }), Type.Null()], { description });
}

/** Returns the schema of an untrusted list. */
export function boundedList<T extends TSchema>(items: T, description: string) {
  return Type.Array(items, { maxItems: MAX_ITEMS, description });
}

/** Returns the schema of an untrusted list of texts. */
export function boundedTexts(description: string) {
  return boundedList(Type.String({ maxLength: MAX_TEXT_LENGTH }), description);
}

/** Schema of the mark beside truncated values. */
export const TruncatedSchema = Type.Optional(
  Type.Literal(true, { description: 'True if content was cut to the size of a record' }),
);
