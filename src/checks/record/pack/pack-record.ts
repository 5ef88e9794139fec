import { isObject } from '#src/core/base/guard.ts';
import { COUNTERFACTUAL, WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import { areInOrder, argOf, entryFor, isSentence } from '#src/engine/reasons/sentence.ts';
import { readCounterfactual, wayInArgs } from '../reasons/explain.ts';
import { createByteWriter } from './bytes.ts';
import {
  type DefaultValue,
  FIRST_NUMBER,
  FIRST_SHAPE,
  FIRST_WORD,
  MAX_DECIMALS,
  MAX_SCALED,
  PACK_VERSION,
  type RowContext,
  SHAPES,
  TAG,
  WORDS,
} from './shapes.ts';

const WORD_PLACES = new Map(WORDS.map((word, place) => [word, place]));

interface KnownShape {
  readonly place: number;
  readonly names: readonly string[];
  readonly defaults: readonly DefaultValue[];
}

/** Shapes by their first name, which nearly always identifies them. */
const SHAPES_BY_NAME = Map.groupBy(
  (SHAPES.get(PACK_VERSION) ?? []).map(
    (shape, place): KnownShape => ({
      place,
      names: shape.map(([name]) => name),
      defaults: shape.map(([, usual]) => usual),
    }),
  ),
  ({ names }) => names[0] ?? '',
);

const bytes = createByteWriter();
let near: RowContext;
/** Earlier texts with their index. */
const earlier = new Map<string, number>();
let texts = 0;

/** Names and values of the members that are being written, those of the outer objects first. */
const names: string[] = [];
const values: unknown[] = [];

/** Marks a value that is its default. */
const LEFT_OUT = Symbol('left out');

/**
 * Packs a result into few bytes, without what its row contains. `unpackRecord` returns the same JSON for any members.
 */
export function packRecord(result: object, beside: RowContext): Uint8Array {
  near = beside;
  earlier.clear();
  texts = 0;
  names.length = values.length = 0;
  bytes.restart();
  bytes.byte(PACK_VERSION);
  writeValue(result);
  return bytes.written();
}

function writeValue(value: unknown): void {
  if (typeof value === 'string') writeText(value);
  else if (typeof value === 'number') writeNumber(value);
  else if (typeof value === 'boolean') bytes.byte(value ? TAG.true : TAG.false);
  else if (Array.isArray(value)) writeList(value);
  else if (isObject(value)) writeObject(value);
  else bytes.byte(TAG.null);
}

function writeList(list: readonly unknown[]): void {
  bytes.byte(TAG.list);
  bytes.count(list.length);
  for (const item of list) writeValue(item);
}

function writeNumber(number: number): void {
  // One bit holds the sign.
  if (Number.isSafeInteger(2 * number) && Number.isInteger(number)) writeInteger(number);
  else if (!Number.isFinite(number)) bytes.byte(TAG.null);
  else if (!writeDecimal(number)) writeFloat(number);
}

function writeFloat(number: number): void {
  if (Math.fround(number) === number) {
    bytes.byte(TAG.single);
    bytes.single(number);
  } else {
    bytes.byte(TAG.float);
    bytes.float(number);
  }
}

function writeInteger(number: number): void {
  if (number >= 0 && number < FIRST_SHAPE - FIRST_NUMBER) bytes.byte(FIRST_NUMBER + number);
  else {
    bytes.byte(TAG.integer);
    bytes.signed(number);
  }
}

const SCALE = 10 ** MAX_DECIMALS;

/** Writes a number with few decimals in compact form; false if it is not one. */
function writeDecimal(number: number): boolean {
  // Nearly all weights and scores have more decimals.
  if (Math.round(number * SCALE) / SCALE !== number) return false;
  for (let digits = 1, scale = 10; digits <= MAX_DECIMALS; digits++, scale *= 10) {
    const scaled = Math.round(number * scale);
    if (scaled / scale !== number || Math.abs(scaled) > MAX_SCALED) continue;
    bytes.byte(TAG.decimal);
    bytes.byte(digits);
    bytes.signed(scaled);
    return true;
  }
  return false;
}

function writeText(text: string): void {
  const word = WORD_PLACES.get(text);
  if (word === undefined) writeOtherText(text);
  else if (FIRST_WORD + word < TAG.single) bytes.byte(FIRST_WORD + word);
  else {
    bytes.byte(TAG.word);
    bytes.count(word);
  }
}

function writeOtherText(text: string): void {
  const start = near.normalized_url.indexOf(text);
  const place = start === -1 ? earlier.get(text) : undefined;
  const sentence = start === -1 && place === undefined ? readCounterfactual(text) : null;
  if (start !== -1) {
    bytes.byte(TAG.slice);
    bytes.count(start);
    bytes.count(text.length);
  } else if (place !== undefined) {
    bytes.byte(TAG.earlier);
    bytes.count(place);
  } else if (sentence) {
    bytes.byte(TAG.sentence);
    bytes.count(COUNTERFACTUAL[0]);
    writeText(sentence.decision);
    writeText(sentence.sentence);
  } else writeNewText(text);
}

function writeNewText(text: string): void {
  const momentMs = momentOf(text);
  if (momentMs !== null) {
    bytes.byte(TAG.moment);
    bytes.signed(momentMs);
    return;
  }
  earlier.set(text, texts++);
  if (text.isWellFormed()) {
    bytes.byte(TAG.text);
    bytes.text(text);
    return;
  }
  bytes.byte(TAG.units);
  bytes.count(text.length);
  for (let i = 0; i < text.length; i++) bytes.count(text.charCodeAt(i));
}

/** Returns the moment of a text in the form of `Date.toISOString`; null for any other text. */
function momentOf(text: string): number | null {
  if (text.length !== 24 || text[10] !== 'T') return null;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text ? ms : null;
}

function writeObject(object: Readonly<Record<string, unknown>>): void {
  const from = names.length;
  // Enumerating reads members several times faster than looking them up by name.
  for (const name in object) {
    const value = object[name];
    // JSON omits it.
    if (value === undefined) continue;
    names.push(name);
    values.push(value);
  }
  if (!(hasNames(REASON, from) && writeReason(from))) {
    const known = SHAPES_BY_NAME.get(names[from] ?? '')?.find((shape) => hasNames(shape.names, from));
    if (known) writeShaped(known, from);
    else writeNamed(from);
  }
  names.length = values.length = from;
}

/** Returns true if the names from `from` on are those. */
function hasNames(shape: readonly string[], from: number): boolean {
  if (shape.length !== names.length - from) return false;
  for (let i = 0; i < shape.length; i++) if (shape[i] !== names[from + i]) return false;
  return true;
}

function writeNamed(from: number): void {
  const end = names.length;
  bytes.byte(TAG.object);
  bytes.count(end - from);
  for (let at = from; at < end; at++) {
    writeText(names[at] ?? '');
    writeValue(values[at]);
  }
}

/** Writes one bit per member with a default, set if it differs, then the members that are not defaults. */
function writeShaped({ place, defaults }: KnownShape, from: number): void {
  bytes.byte(FIRST_SHAPE + place);
  let mask = 0;
  let bit = 0;
  for (let i = 0; i < defaults.length; i++) {
    const usual = defaults[i];
    if (!usual) continue;
    if (isSame(values[from + i], defaultOf(usual))) values[from + i] = LEFT_OUT;
    else mask |= 1 << (bit % 8);
    if (++bit % 8 === 0) {
      bytes.byte(mask);
      mask = 0;
    }
  }
  if (bit % 8 > 0) bytes.byte(mask);
  for (let i = 0; i < defaults.length; i++) {
    const value = values[from + i];
    if (value !== LEFT_OUT) writeValue(value);
  }
}

function defaultOf(usual: NonNullable<DefaultValue>): unknown {
  return 'value' in usual ? usual.value : near[usual.beside];
}

/** Returns true if two values are the same JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
    return true;
  }
  if (!isObject(a) || !isObject(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    if (name !== others[i] || !isSame(a[name], b[name])) return false;
  }
  return true;
}

const REASON = ['component', 'code', 'message', 'args', 'weight'];
const [CODE, MESSAGE, ARGS, WEIGHT] = [1, 2, 3, 4];

/** Writes a reason by the number of its sentence and the values of its gaps; false if the sentence was truncated. */
function writeReason(from: number): boolean {
  const named = values[from + ARGS];
  if (!isObject(named)) return false;
  if (writeNumbered(from, named)) return true;
  if (Object.keys(named).length > 0) return false;
  // A reason that version 0.1 wrote as text, without args.
  names.splice(from + ARGS, 1);
  values.splice(from + ARGS, 1);
  return false;
}

function writeNumbered(from: number, named: Readonly<Record<string, unknown>>): boolean {
  const component = values[from];
  const code = values[from + CODE];
  const message = values[from + MESSAGE];
  if (typeof code !== 'string' || typeof message !== 'string' || typeof component !== 'string') return false;
  if (code.indexOf('.') !== component.length || !code.startsWith(component)) return false;
  // A value that is neither text nor number makes another sentence.
  const args = named as ReasonArgs;
  const entry = entryFor(code, args);
  if (!entry || !areInOrder(entry, args) || !entry.gaps.every((gap) => isReadAs(gap, args[gap]))) return false;
  const ways = wayInArgs(args);
  if ((ways.length === 0 || args['how'] === 'inside') && 'inside' in args) return false;
  if (!isSentence(message, ways, entry, args)) return false;
  bytes.byte(TAG.reason);
  for (const { how, host } of ways) {
    bytes.count(NUMBERS_OF_WAYS.get(how) ?? 0);
    writeText(host);
  }
  bytes.count(entry.number);
  for (const gap of entry.gaps) writeText(String(args[gap]));
  earlier.set(message, texts++);
  writeValue(values[from + WEIGHT]);
  return true;
}

const NUMBERS_OF_WAYS = new Map<string, number>(WAYS.map(([number, how]) => [how, number]));

/** Returns true if a gap's value survives the conversion to text. */
function isReadAs(gap: string, value: unknown): boolean {
  return value === argOf(gap, String(value));
}
