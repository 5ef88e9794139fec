import { Type } from '@sinclair/typebox';
import { parameter } from '../http/parameter.ts';

/** Maximum number of items of an answer. */
export const MAX_ANSWERED_ITEMS = 500;

/** A query parameter that is a whole number from `minimum` to `maximum`. */
export function numberParameter(description: string, minimum: number, maximum: number, example: number) {
  const isOne = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
  const json = { type: 'integer', minimum, maximum, description, examples: [example] };
  return Type.Optional(
    Type.Transform(parameter<number>(`a whole number from ${minimum} to ${maximum}`, isOne, json))
      .Decode(Number)
      .Encode((value) => value),
  );
}

/** A query parameter that is `true` or `false`. */
export function flagParameter(description: string) {
  const isOne = (text: string) => text === 'true' || text === 'false';
  const json = { type: 'boolean', description, examples: [true] };
  return Type.Optional(parameter<'true' | 'false'>('true or false', isOne, json));
}

/** Parameter: maximum number of items in the answer. */
export const limitParameter = numberParameter('Items in the answer; 50 by default', 1, MAX_ANSWERED_ITEMS, 50);
