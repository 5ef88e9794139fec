import { isDeepStrictEqual } from 'node:util';

/** A schema, as JSON. */
interface Json {
  readonly [keyword: string]: unknown;
}

/**
 * A schema with its named parts, marked by `$id`, moved into `schemas` and referred to. An `$id` in the document itself
 * would change what the references inside a schema are relative to.
 *
 * @throws Error where two schemas have one name
 */
export function nameSchemas<T>(value: T, schemas: Record<string, object>): T | object {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => nameSchemas(item, schemas));
  const { $id, ...members } = withTypeList(Object.fromEntries(Object.entries(value)));
  const schema = Object.fromEntries(
    Object.entries(members).map(([key, member]) => [key, nameSchemas(member, schemas)]),
  );
  if (typeof $id !== 'string') return schema;
  // Some generators use titles only.
  const named = { title: $id, ...schema };
  const known = schemas[$id];
  if (known && !isDeepStrictEqual(known, named)) throw new Error(`two schemas have the name ${$id}`);
  schemas[$id] = named;
  return { $ref: `#/components/schemas/${$id}` };
}

/**
 * A schema of this or null, or of a text or a number, says so by its `type`, which generators read as what it is; of a union
 * they make a type of its own.
 */
function withTypeList({ anyOf, ...rest }: Json): Json {
  if (!Array.isArray(anyOf)) return rest;
  const shapes: readonly Json[] = anyOf;
  if (shapes.every((shape) => Object.keys(shape).every((keyword) => keyword === 'type'))) {
    return { ...rest, type: shapes.map(({ type }) => type) };
  }
  const [one, none] = shapes;
  // An enum would have to list null, and be another one than its name says.
  if (anyOf.length !== 2 || !one || one['enum'] || none?.['type'] !== 'null') return { ...rest, oneOf: anyOf };
  return { ...one, ...rest, type: [one['type'], 'null'] };
}
