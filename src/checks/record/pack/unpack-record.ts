import { COUNTERFACTUAL, WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs, ReasonWay, WayKind } from '#src/engine/reasons/reason.ts';
import { argOf, counterfactualOf, entryByNumber, sentenceOf, withWay } from '#src/engine/reasons/sentence.ts';
import { type ByteReader, createByteReader, UnreadableRecordError } from './bytes.ts';
import {
  type DefaultValue,
  FIRST_NUMBER,
  FIRST_SHAPE,
  FIRST_WORD,
  type RowContext,
  SHAPES,
  type Shape,
  TAG,
  WORDS,
} from './shapes.ts';

/** Maximum depth; results reach half of it. */
const MAX_DEPTH = 16;

interface Reading {
  readonly from: ByteReader;
  readonly beside: RowContext;
  /** Shapes of the record's version. */
  readonly shapes: readonly Shape[];
  /** Earlier texts. */
  readonly texts: string[];
}

/**
 * Unpacks what `packRecord` wrote, in any version.
 *
 * @throws UnreadableRecordError for what this program cannot have written: another version, a foreign code, an early
 * end
 */
export function unpackRecord(bytes: Uint8Array, beside: RowContext): unknown {
  const from = createByteReader(bytes);
  const version = from.byte();
  const shapes = SHAPES.get(version);
  if (!shapes) throw new UnreadableRecordError(`it has the unknown version ${version}`);
  const value = readValue({ from, beside, shapes, texts: [] }, 0);
  if (!from.isAtEnd()) throw new UnreadableRecordError('it has trailing data');
  return value;
}

function readValue(reading: Reading, depth: number): unknown {
  const { from } = reading;
  const tag = from.byte();
  if (tag >= FIRST_SHAPE) return readShaped(reading, tag - FIRST_SHAPE, depth);
  if (tag >= FIRST_NUMBER) return tag - FIRST_NUMBER;
  switch (tag) {
    case TAG.null:
      return null;
    case TAG.false:
      return false;
    case TAG.true:
      return true;
    case TAG.float:
      return from.float();
    case TAG.single:
      return from.single();
    case TAG.integer:
      return from.signed();
    case TAG.decimal:
      return readDecimal(from);
    case TAG.list:
      return Array.from({ length: lengthOf(from) }, () => readValue(reading, deeper(depth)));
    case TAG.object:
      return readObject(reading, depth);
    case TAG.reason:
      return readReason(reading, depth);
    default:
      return readTagged(reading, tag);
  }
}

function readDecimal(from: ByteReader): number {
  const digits = from.byte();
  return from.signed() / 10 ** digits;
}

/** Bounds the length of a list; each item takes at least a byte. */
function lengthOf(from: ByteReader): number {
  const length = from.count();
  if (length > 65_536) throw new UnreadableRecordError('a list in it is too long');
  return length;
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) throw new UnreadableRecordError('it is nested too deeply');
  return depth + 1;
}

function readText(reading: Reading): string {
  return readTagged(reading, reading.from.byte());
}

function readTagged(reading: Reading, tag: number): string {
  const { from, beside, texts } = reading;
  if (tag >= FIRST_WORD && tag < TAG.single) return known(WORDS[tag - FIRST_WORD], 'word');
  switch (tag) {
    case TAG.word:
      return known(WORDS[from.count()], 'word');
    case TAG.slice: {
      const start = from.count();
      const length = from.count();
      const slice = beside.normalized_url.slice(start, start + length);
      return known(slice.length === length ? slice : undefined, 'part of the URL');
    }
    case TAG.earlier:
      return known(texts[from.count()], 'text');
    case TAG.sentence:
      return readCounterfactual(reading);
    case TAG.moment:
      return momentText(from.signed());
    case TAG.text:
      return remember(texts, from.text());
    case TAG.units:
      return remember(texts, Array.from({ length: lengthOf(from) }, () => String.fromCharCode(from.count())).join(''));
    default:
      throw new UnreadableRecordError(`unknown tag ${tag}`);
  }
}

function momentText(ms: number): string {
  if (Math.abs(ms) > 8.64e15) throw new UnreadableRecordError('it has an invalid time');
  return new Date(ms).toISOString();
}

function remember(texts: string[], text: string): string {
  texts.push(text);
  return text;
}

function known<T>(value: T | undefined, kind: string): T {
  if (value === undefined) throw new UnreadableRecordError(`it has an unknown ${kind}`);
  return value;
}

function readCounterfactual(reading: Reading): string {
  known(reading.from.count() === COUNTERFACTUAL[0] || undefined, 'sentence');
  return counterfactualOf(readText(reading), readText(reading));
}

function readReason(reading: Reading, depth: number): Record<string, unknown> {
  const { from } = reading;
  let number = from.count();
  const ways: ReasonWay[] = [];
  for (let how = HOW_BY_NUMBER.get(number); how !== undefined; how = HOW_BY_NUMBER.get(number)) {
    ways.push({ how, host: readText(reading) });
    number = from.count();
  }
  const { code, kind, gaps, words } = known(entryByNumber(number), 'reason');
  const named = gaps.map((gap): [string, string | number] => [gap, argOf(gap, readText(reading))]);
  const args: ReasonArgs = { ...(kind !== null && { kind }), ...Object.fromEntries(named) };
  const message = remember(reading.texts, sentenceOf({ code, args, ways }));
  return {
    component: code.slice(0, code.indexOf('.')),
    code,
    message,
    // Version 0.1 mistook the beginning of a sentence, "The link redirects to …", for the value of a gap there.
    ...((words[0] !== '' || !String(named[0]?.[1]).includes(' ')) && { args: withWay(args, ways[0]) }),
    weight: readValue(reading, deeper(depth)),
  };
}

const HOW_BY_NUMBER = new Map<number, WayKind>(WAYS.map(([number, how]) => [number, how]));

function readObject(reading: Reading, depth: number): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (let left = lengthOf(reading.from); left > 0; left--) {
    members.push([readText(reading), readValue(reading, deeper(depth))]);
  }
  return Object.fromEntries(members);
}

function readShaped(reading: Reading, place: number, depth: number): Record<string, unknown> {
  const shape = known(reading.shapes[place], 'kind of object');
  const defaults = shape.filter(([, usual]) => usual !== null).length;
  const mask = Array.from({ length: Math.ceil(defaults / 8) }, () => reading.from.byte());
  let bit = 0;
  const members = shape.map(([name, usual]): [string, unknown] => {
    const isDefault = usual !== null && (((mask[bit >>> 3] ?? 0) >>> (bit++ & 7)) & 1) === 0;
    return [name, isDefault ? defaultIn(usual, reading.beside) : readValue(reading, deeper(depth))];
  });
  return Object.fromEntries(members);
}

function defaultIn(usual: NonNullable<DefaultValue>, beside: RowContext): unknown {
  return 'value' in usual ? structuredClone(usual.value) : beside[usual.beside];
}
