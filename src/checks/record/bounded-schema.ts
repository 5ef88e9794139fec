import { type TSchema, Type } from '@sinclair/typebox';
import { MAX_TEXT_LENGTH } from '#src/core/base/text/truncate-text.ts';

/** The most items of a list that is in a stranger's hand. */
export const MAX_ITEMS = 128;

/** A text that is in a stranger's hand. */
export function boundedText(description: string) {
  return Type.String({ maxLength: MAX_TEXT_LENGTH, description });
}

/** The same where there may be none. */
export function boundedTextOrNull(description: string) {
  return Type.Union([Type.String({ maxLength: MAX_TEXT_LENGTH }), Type.Null()], { description });
}

/** A list that is in a stranger's hand. */
export function boundedList<T extends TSchema>(items: T, description: string) {
  return Type.Array(items, { maxItems: MAX_ITEMS, description });
}

/** A list of texts. */
export function boundedTexts(description: string) {
  return boundedList(Type.String({ maxLength: MAX_TEXT_LENGTH }), description);
}

/** Stands beside what was cut, and nowhere else. */
export const TruncatedSchema = Type.Optional(
  Type.Literal(true, { description: 'Where something here was longer than a record may hold, and was cut' }),
);
