import { type TSchema, Type } from '@sinclair/typebox';
import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';

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
