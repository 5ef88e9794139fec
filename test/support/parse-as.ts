import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/.test(text));
FormatRegistry.Set('uuid', (text) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text),
);
FormatRegistry.Set('uri-reference', (text) => URL.canParse(text, 'http://localhost/'));

/** A value that has just the shape of the schema, formats included. Throws what does not fit. */
export function parseAs<T extends TSchema>(schema: T, value: unknown): Static<T> {
  return Value.Parse(schema, value);
}
