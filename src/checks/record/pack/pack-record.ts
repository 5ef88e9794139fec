import { isObject } from '#src/core/base/text/is-object.ts';
import { matchSentence } from '../reasons/match-sentence.ts';
import { createByteWriter } from './byte-writer.ts';
import { type Beside, SHAPES, type Shape, type Usual } from './shapes.ts';
import { FIRST_NUMBER, FIRST_SHAPE, FIRST_WORD, MAX_DECIMALS, MAX_SCALED, PACK_VERSION, TAG } from './field-tags.ts';
import { WORDS } from './tags.ts';

const WORD_PLACES = new Map(WORDS.map((word, place) => [word, place]));

interface KnownShape {
  readonly place: number;
  readonly shape: Shape;
}

/** By their first name, which tells nearly all of them apart. */
const SHAPES_BY_NAME = Map.groupBy(
  (SHAPES.get(PACK_VERSION) ?? []).map((shape, place): KnownShape => ({ place, shape })),
  ({ shape }) => shape[0]?.[0] ?? '',
);

const bytes = createByteWriter();
let near: Beside;
/** The texts that came before, by their places. */
const earlier = new Map<string, number>();
let texts = 0;

/**
 * A result as few bytes, without what stands beside it in its row. `unpackRecord` gives back the same JSON, whatever the
 * members of the result are.
 */
export function packRecord(result: object, beside: Beside): Uint8Array {
  near = beside;
  earlier.clear();
  texts = 0;
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
  // A bit goes to the sign.
  if (Number.isSafeInteger(2 * number) && Number.isInteger(number)) writeInteger(number);
  else if (!Number.isFinite(number)) bytes.byte(TAG.null);
  else if (!writeDecimal(number)) {
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

/** Whether a number was one of few decimals, and is written so. */
function writeDecimal(number: number): boolean {
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
  else if (FIRST_WORD + word < FIRST_NUMBER) bytes.byte(FIRST_WORD + word);
  else {
    bytes.byte(TAG.word);
    bytes.count(word);
  }
}

function writeOtherText(text: string): void {
  const start = near.normalized_url.indexOf(text);
  const place = start === -1 ? earlier.get(text) : undefined;
  const sentence = start === -1 && place === undefined ? matchSentence('', text) : null;
  if (start !== -1) {
    bytes.byte(TAG.slice);
    bytes.count(start);
    bytes.count(text.length);
  } else if (place !== undefined) {
    bytes.byte(TAG.earlier);
    bytes.count(place);
  } else if (sentence) {
    bytes.byte(TAG.sentence);
    writeSentence(sentence);
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

/** The moment that a text is in the way in which a date writes itself; null where it is none. */
function momentOf(text: string): number | null {
  if (text.length !== 24 || text[10] !== 'T') return null;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text ? ms : null;
}

function writeSentence({ place, words }: { readonly place: number; readonly words: readonly string[] }): void {
  bytes.count(place);
  for (const word of words) writeText(word);
}

function writeObject(object: Readonly<Record<string, unknown>>): void {
  const keys = Object.keys(object);
  if (hasNames(REASON, keys) && writeReason(object)) return;
  // JSON leaves these out.
  const isGiven = (name: string) => object[name] !== undefined;
  const names = keys.every(isGiven) ? keys : keys.filter(isGiven);
  const known = SHAPES_BY_NAME.get(names[0] ?? '')?.find(({ shape }) => hasNames(shape, names));
  if (known) {
    writeShaped(object, known);
    return;
  }
  bytes.byte(TAG.object);
  bytes.count(names.length);
  for (const name of names) {
    writeText(name);
    writeValue(object[name]);
  }
}

function hasNames(shape: Shape, names: readonly string[]): boolean {
  if (shape.length !== names.length) return false;
  for (let i = 0; i < names.length; i++) if (shape[i]?.[0] !== names[i]) return false;
  return true;
}

/** A bit for each member that may be as usual, set where it is not; then the members that have to be written. */
function writeShaped(object: Readonly<Record<string, unknown>>, { place, shape }: KnownShape): void {
  bytes.byte(FIRST_SHAPE + place);
  let mask = 0;
  let bit = 0;
  const written: unknown[] = [];
  for (const [name, usual] of shape) {
    const member = object[name];
    if (usual === null) written.push(member);
    else {
      if (!isSame(member, usualOf(usual))) {
        mask |= 1 << (bit % 8);
        written.push(member);
      }
      if (++bit % 8 === 0) {
        bytes.byte(mask);
        mask = 0;
      }
    }
  }
  if (bit % 8 > 0) bytes.byte(mask);
  for (const member of written) writeValue(member);
}

function usualOf(usual: NonNullable<Usual>): unknown {
  return 'value' in usual ? usual.value : near[usual.beside];
}

/** Whether two values are the same JSON. */
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

const REASON: Shape = (['component', 'code', 'message', 'weight'] as const).map((name) => [name, null]);

/** Whether an object was a reason whose sentence is known, and is written. */
function writeReason(object: Readonly<Record<string, unknown>>): boolean {
  const { component, code, message, weight } = object;
  if (typeof code !== 'string' || typeof message !== 'string' || typeof component !== 'string') return false;
  if (code.indexOf('.') !== component.length || !code.startsWith(component)) return false;
  const sentence = matchSentence(code, message);
  if (!sentence) return false;
  bytes.byte(TAG.reason);
  writeSentence(sentence);
  earlier.set(message, texts++);
  writeValue(weight);
  return true;
}
