import {
  Kind,
  type Static,
  type TInteger,
  type TNumber,
  type TSchema,
  type TString,
  Type,
  TypeRegistry,
} from '@sinclair/typebox';
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value';
import { isText } from '../guard.ts';

/** Kind of schemas whose `fault` is all that is checked; the rest of such a schema is for the document. */
export const CHECKED_BY_FAULT = 'LurecheckField';

TypeRegistry.Set<{ fault: (value: unknown) => object | null }>(
  CHECKED_BY_FAULT,
  (schema, value) => schema.fault(value) === null,
);

const TIME_OR_NULL = 'must be a time such as 2026-12-31T00:00:00Z, or null';

/**
 * A member of a body with this schema in the document. A value that the schema excludes is refused with `message`.
 *
 * @param isValid accepts fewer values than the schema
 */
export function member<T extends TSchema>(
  schema: T,
  message: string,
  isValid: (value: unknown) => boolean = (value) => Value.Check(schema, value),
): T {
  const fault = (value: unknown) => (isValid(value) ? null : { code: 'invalid_body', message });
  return { ...schema, [Kind]: CHECKED_BY_FAULT, fault };
}

/** Returns true for a time in ISO 8601, and for null. */
function isTimeOrNull(value: unknown): boolean {
  return value === null || (isText(value) && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)));
}

/** A member that is a text. */
export function textMember(description: string) {
  return member(Type.String({ description }), 'must be a string', isText);
}

/** A member that is a time in ISO 8601, or null. */
export function timeOrNull(description: string) {
  return member(nullable(Type.String({ format: 'date-time' }), description), TIME_OR_NULL, isTimeOrNull);
}

/** A member that may be null. */
export function nullable<T extends TString | TInteger | TNumber>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** A valid value, or a description of its first fault. */
export type Shaped<T extends TSchema> = { readonly value: Static<T> } | { readonly problem: string };

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Validates untrusted JSON by a schema. Never throws, coerces, or adds or removes members. */
export function readShape<T extends TSchema>(schema: T, value: unknown): Shaped<T> {
  if (Value.Check(schema, value)) return { value };
  const error = Value.Errors(schema, value).First();
  return { problem: error ? describe(nearest(faultOf(error))) : 'it has another shape' };
}

interface Fault extends Pick<ValueError, 'type' | 'schema'> {
  readonly path: readonly string[];
  readonly variants: readonly (readonly Fault[])[];
}

/** Collects the errors of TypeBox, which iterates them lazily and once. */
function faultOf({ type, schema, path, errors }: ValueError): Fault {
  // Names in a path are escaped (RFC 6901 §3).
  const names = path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { type, schema, path: names.slice(1), variants: errors.map((variant) => Array.from(variant, faultOf)) };
}

function describe(fault: Fault): string {
  const { type, schema } = fault;
  if (type === ValueErrorType.ObjectRequiredProperty) return `${subject(fault)} is missing`;
  if (type === ValueErrorType.ObjectAdditionalProperties) return `${subject(fault)} is not a member of it`;
  const tags = wrongTags(fault);
  if (!tags[0]) return `${subject(fault)} must be ${expected(schema)}`;
  return `${subject(tags[0])} must be ${tags.map((tag) => expected(tag.schema)).join(' or ')}`;
}

/** Returns the fault of the shape that a value claims to have, or of the shape that it matched longest. */
function nearest(fault: Fault): Fault {
  const firsts = fault.variants.flatMap((faults) => (tagIn(faults, fault) ? [] : faults.slice(0, 1)));
  const [deepest] = firsts.map(nearest).toSorted((a, b) => depthOf(b) - depthOf(a));
  return deepest && depthOf(deepest) > depthOf(fault) ? deepest : fault;
}

function depthOf(fault: Fault): number {
  return fault.path.length + (wrongTags(fault).length > 0 ? 1 : 0);
}

/** Returns the members that distinguish the shapes, if a value has none of these shapes. */
function wrongTags(fault: Fault): readonly Fault[] {
  const tags = fault.variants.map((faults) => tagIn(faults, fault));
  return tags.every((tag) => tag !== undefined) ? tags : [];
}

function tagIn(faults: readonly Fault[], outer: Fault): Fault | undefined {
  return faults.find(({ type, path }) => type === ValueErrorType.Literal && path.length === outer.path.length + 1);
}

function subject({ path }: Fault): string {
  if (path.length === 0) return 'it';
  const name = path.join('.');
  return `"${name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name}"`;
}

/** Maximum length of a displayed name, which may be untrusted input. */
const MAX_NAME = 80;

const IN_WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

function expected(schema: TSchema): string {
  if (schema[Kind] === 'Union') return [...new Set(schema['anyOf'].map(expected))].join(' or ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema['enum']) return `one of ${schema['enum'].join(', ')}`;
  return `${IN_WORDS[schema['type']] ?? 'something else'}${limits(schema)}`;
}

const LIMITS = [
  ['exclusiveMinimum', 'above'],
  ['minimum', 'from'],
  ['exclusiveMaximum', 'below'],
  ['maximum', 'to'],
  ['minLength', 'with a length of at least'],
  ['maxLength', 'with a length of at most'],
  ['maxItems', 'of a length of at most'],
  ['pattern', 'like'],
] as const;

function limits(schema: TSchema): string {
  return LIMITS.flatMap(([key, word]) => (schema[key] === undefined ? [] : ` ${word} ${schema[key]}`)).join('');
}
