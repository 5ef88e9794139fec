import { type TObject, Type } from '@sinclair/typebox';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { BadField } from './problem.ts';

const MAX_DEPTH = 32;

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A JSON text that was read, or why it was refused. */
type StrictJson = { readonly value: unknown } | { readonly refusal: string };

/**
 * Reads one JSON value (RFC 8259) from UTF-8 bytes. Refused are also what most readers let pass: ill-formed UTF-8, a
 * byte order mark, more than 32 levels, and a member that occurs twice in one object, at any level.
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  try {
    text = STRICT_UTF8.decode(bytes);
  } catch {
    return { refusal: 'The body is not UTF-8 text.' };
  }
  if (text.startsWith('\uFEFF')) return { refusal: 'The body must not begin with a byte order mark.' };
  const value = parseJson(text);
  if (value === undefined) return { refusal: 'The body is not JSON.' };
  const refusal = findFault(text);
  return refusal === null ? { value } : { refusal };
}

/** Looks for what JSON.parse lets pass. The text is known to be JSON, so quotes and brackets suffice as landmarks. */
function findFault(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const members = open.at(-1);
      if (members && isMemberName(text, end)) {
        const name: string = JSON.parse(text.slice(at, end));
        if (members.has(name)) return `The member "${shorten(name)}" occurs twice.`;
        members.add(name);
      }
      at = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (open.length === MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
      open.push(code === OPEN_BRACE ? new Set() : null);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      open.pop();
    }
  }
  return null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The index behind the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  // A list of 4 MiB is one string, so its characters are not visited one by one.
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let at = quote;
    while (text.charCodeAt(at - 1) === BACKSLASH) at--;
    if ((quote - at) % 2 === 0) return quote + 1;
  }
}

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}

/** A name of the client's as it may be shown back to it. */
export function shorten(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

/** Returns what is wrong with the value of a field, as a predicate; null if it is valid. */
export type FieldFault = (value: unknown) => Omit<BadField, 'field'> | null;

/** A field that is true or false. */
export function flagField(description: string) {
  const fault: FieldFault = (value) =>
    typeof value === 'boolean' ? null : { code: 'invalid_body', message: 'must be true or false' };
  return Type.Boolean({ description, fault });
}

/** Returns the fault of a value that is not a text. */
export const textFault: FieldFault = (value) =>
  typeof value === 'string' ? null : { code: 'invalid_body', message: 'must be a string' };

/** A field that is a text. */
export function textField(description: string) {
  return Type.String({ description, fault: textFault });
}

/** Unknown members that one refusal names at most: what is shown back of a request stays short. */
const MAX_UNKNOWN = 4;

/**
 * Checks a request field by field, in the order of its schema and with unknown members last. A field's `fault` gives
 * the text, and may be stricter than the schema.
 */
export function fieldErrors(schema: TObject, request: object): BadField[] {
  const values = new Map<string, unknown>(Object.entries(request));
  const errors: BadField[] = [];
  for (const [field, property] of Object.entries(schema.properties)) {
    const fault: FieldFault | undefined = property['fault'];
    const isRequired = schema.required?.includes(field) ?? false;
    const wrong = values.has(field) ? fault?.(values.get(field)) : isRequired ? missing(fault) : null;
    if (wrong) errors.push({ field, ...wrong });
    values.delete(field);
  }
  if (schema.additionalProperties !== false) return errors;
  const unknown = Array.from(values.keys()).slice(0, MAX_UNKNOWN);
  return [...errors, ...unknown.map(unknownMember)];
}

/** The fault of a member that a request must not have. */
export function unknownMember(name: string): BadField {
  return { field: shorten(name), code: 'unknown_member', message: 'is not a member of this request' };
}

/** The error of a required field that is absent, with the code of the kind of field. */
function missing(fault: FieldFault | undefined): ReturnType<FieldFault> {
  return { code: fault?.(undefined)?.code ?? 'invalid_body', message: 'is required' };
}
