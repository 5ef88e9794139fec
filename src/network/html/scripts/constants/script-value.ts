import type { ScriptTokens } from '../tokens/script-tokens.ts';

/** Value of an expression, as far as it is constant; null if it is unknown. */
export type Value =
  | string
  | number
  | boolean
  | null
  | TextValue
  | ListValue
  | RecordValue
  | FunctionValue
  | ElementValue
  | HostValue
  | MemberValue
  | ChoiceValue
  | PatternValue;

/** A text of which parts are unknown, or that came out of a decoder. */
export interface TextValue {
  readonly kind: 'text';
  /** The known parts. */
  readonly text: string;
  /** Characters in front of the first unknown part; null if all of it is known. */
  readonly knownLength: number | null;
  readonly encoded: boolean;
  /** True if the unknown parts are dates and numbers, which hold no markup. */
  readonly isPlain?: boolean;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: Value[];
}

export interface RecordValue {
  readonly kind: 'record';
  readonly members: Map<string, Value>;
  /** Global or member that the record stands for, whose other members are unknown; null for a literal. */
  readonly origin: MemberValue | null;
}

/** A function: the places of its parameters and of its body among the tokens. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly tokens: ScriptTokens;
  readonly scope: NameScope;
  readonly parameters: number;
  readonly body: number;
  readonly end: number;
  /** True for an arrow function whose body is an expression. */
  readonly isExpression: boolean;
  name: string;
  /** The lowest rank in which its body was read; see {@link RANK}. */
  rank: number;
  /** Value that was last returned. */
  returned: Value;
  isOpen: boolean;
}

/** An element that a script creates, or one of the page that it looks up. */
export interface ElementValue {
  readonly kind: 'element';
  readonly tag: string;
  readonly attributes: Map<string, string>;
  /** Texts and elements inside; empty for an element of the page. */
  readonly children: (string | ElementValue)[];
  readonly isOfPage: boolean;
  isAttached: boolean;
}

/** Objects of the browser that have a meaning; `this` is that of a function. */
export interface HostValue {
  readonly kind: 'host';
  readonly name: 'window' | 'document' | 'location' | 'navigation' | 'this';
}

/** A member of a value that is not known further. */
export interface MemberValue {
  readonly kind: 'member';
  readonly of: Value;
  /** Null if its name is computed in an unknown way. */
  readonly key: string | null;
}

/** One of several values: of a conditional expression, or of a variable that is set conditionally. */
export interface ChoiceValue {
  readonly kind: 'choice';
  readonly values: readonly Value[];
}

/** A regular expression literal. */
export interface PatternValue {
  readonly kind: 'pattern';
  readonly source: string;
  readonly flags: string;
}

/** Names that a function declares, and those around it. */
export interface NameScope {
  readonly names: Map<string, Value>;
  readonly outer: NameScope | null;
  readonly depth: number;
}

/** When code runs: by itself; as a callback of unknown time; by a click, or if something unknown calls it. */
export const RANK = { itself: 0, callback: 1, clicked: 2, uncalled: 3, never: 4 } as const;

/** Maximum number of alternatives of a value. */
const MAX_CHOICES = 4;

/** Maximum characters of a folded text. */
export const MAX_TEXT = 512 * 1024;

export const WINDOW: HostValue = { kind: 'host', name: 'window' };
export const DOCUMENT: HostValue = { kind: 'host', name: 'document' };
export const LOCATION: HostValue = { kind: 'host', name: 'location' };
export const NAVIGATION: HostValue = { kind: 'host', name: 'navigation' };
export const THIS: HostValue = { kind: 'host', name: 'this' };

/** Returns the text of a value that is completely known; null for any other. */
export function exactText(value: Value): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value?.kind === 'text' && value.knownLength === null ? value.text : null;
}

/** Returns a text, marked as decoded or incomplete only if it is. */
export function textValue(text: string, knownLength: number | null, encoded: boolean, isPlain = false): Value {
  if (text.length > MAX_TEXT) return null;
  return knownLength === null && !encoded
    ? text
    : { kind: 'text', text, knownLength, encoded, ...(isPlain && { isPlain }) };
}

/** A date or a number that is unknown. */
export const PLAIN: TextValue = { kind: 'text', text: '', knownLength: 0, encoded: false, isPlain: true };

/** Returns all alternatives of a value. */
export function alternatives(value: Value): readonly Value[] {
  return value !== null && typeof value === 'object' && value.kind === 'choice' ? value.values : [value];
}

/** Returns a value that may be either of two; the known one if the other is unknown. */
export function either(one: Value, other: Value): Value {
  if (one === null || isSame(one, other)) return other;
  if (other === null) return one;
  const known = [...alternatives(one)];
  for (const value of alternatives(other)) if (!known.some((before) => isSame(before, value))) known.push(value);
  return known.length === 1 ? other : { kind: 'choice', values: known.slice(-MAX_CHOICES) };
}

/** Maximum length of texts that are compared; longer ones count as different. */
const MAX_COMPARED = 1024;

function isSame(one: Value, other: Value): boolean {
  if (typeof one === 'string' && one.length > MAX_COMPARED) return false;
  return one === other;
}

/** Applies a function to each alternative of a value. */
export function mapChoice(value: Value, act: (value: Value) => Value): Value {
  if (value === null || typeof value !== 'object' || value.kind !== 'choice') return act(value);
  return value.values.map(act).reduce(either, null);
}

/** Returns the name of a global that is not known further; null for any other value. */
export function globalName(value: Value): string | null {
  if (value === null || typeof value !== 'object') return null;
  const member = value.kind === 'record' ? value.origin : value;
  return member?.kind === 'member' && member.of === WINDOW ? member.key : null;
}
