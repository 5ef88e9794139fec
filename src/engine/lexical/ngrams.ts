import { slotsOf } from './slots.ts';
import type { UrlParts } from './url-parts.ts';

/** Fields of n-grams whose sums the model adds, in the order of {@link Ngrams}. */
export const SUMMED_FIELDS = [
  'label',
  'subdomain',
  'suffix',
  'shape',
  'path',
  'words',
  'pairs',
  'query',
  'cross',
] as const;

/** All fields; whole path segments are for the model of paths only. */
export const NGRAM_FIELDS = [...SUMMED_FIELDS, 'segments'] as const;

const FIELD = slotsOf(NGRAM_FIELDS);

/** Hashed n-grams of one URL. Reused: valid until those of the next URL are collected. */
export interface Ngrams {
  /** 32-bit hashes; a table uses as many of the low bits as it has. */
  readonly hashes: Uint32Array;
  /** End of each field in `hashes`. */
  readonly ends: Uint16Array;
}

/** Runs of characters of one field. */
interface GramKind {
  /** Hash of the empty run; different for each field, so that equal runs of two fields have different hashes. */
  readonly seed: number;
  /** Maximum number of characters that are read, which bounds the time. Little of phishing URLs is beyond it. */
  readonly max: number;
  /** Lengths of the runs, marks at the ends of the text included. */
  readonly from: number;
  readonly to: number;
  readonly codeOf: (code: number) => number;
}

/** 2³² divided by the golden ratio (Knuth, TAOCP 3, 6.4): spreads small numbers over 32 bits. */
const GOLDEN = 0x9e3779b1;

const MAX_LABEL = 64;

const GRAMS = {
  label: { seed: seedOf(0x11), max: MAX_LABEL, from: 2, to: 5, codeOf: lower },
  subdomain: { seed: seedOf(0x22), max: 80, from: 2, to: 5, codeOf: lower },
  shape: { seed: seedOf(0x33), max: MAX_LABEL, from: 3, to: 7, codeOf: shapeOf },
  path: { seed: seedOf(0x44), max: 120, from: 3, to: 5, codeOf: lower },
  query: { seed: seedOf(0x77), max: 60, from: 3, to: 4, codeOf: lower },
} as const satisfies Record<string, GramKind>;

// Further limits for long URLs.
const MAX_WORDS = 48;
const MAX_WORD_TEXT = 240;
const MAX_SEGMENTS = 16;
const CAPACITY = 2048;

const EDGE = 1;
const DOT = 46;
const SLASH = 47;
const SEGMENT_SEED = seedOf(0xaa);

/** Allocates the n-grams of one URL. */
export function createNgrams(): Ngrams {
  return { hashes: new Uint32Array(CAPACITY), ends: new Uint16Array(NGRAM_FIELDS.length) };
}

/** Returns the start of a field in `hashes`. */
export function startOf({ ends }: Ngrams, field: number): number {
  return field === 0 ? 0 : (ends[field - 1] ?? 0);
}

/** Writes the n-grams of a URL into `into`, field by field. */
export function collectNgrams(parts: UrlParts, into: Ngrams): void {
  const { hashes, ends } = into;
  let n = 0;
  n = grams(hashes, n, GRAMS.label, parts.label);
  ends[FIELD.label] = n;
  n = grams(hashes, n, GRAMS.subdomain, parts.subdomain);
  ends[FIELD.subdomain] = n;
  n = suffixMarks(hashes, n, parts);
  ends[FIELD.suffix] = n;
  n = grams(hashes, n, GRAMS.shape, parts.subdomain === '' ? parts.label : `${parts.subdomain}.${parts.label}`);
  ends[FIELD.shape] = n;
  n = grams(hashes, n, GRAMS.path, parts.path);
  ends[FIELD.path] = n;
  const wordsStart = n;
  n = words(hashes, n, 0x51, parts.host);
  n = words(hashes, n, 0x52, parts.path);
  n = words(hashes, n, 0x53, parts.query);
  ends[FIELD.words] = n;
  const wordsEnd = n;
  for (let i = wordsStart + 1; i < wordsEnd; i++) {
    hashes[n++] = finish(Math.imul((hashes[i - 1] ?? 0) ^ 0x66, GOLDEN) ^ (hashes[i] ?? 0));
  }
  ends[FIELD.pairs] = n;
  n = grams(hashes, n, GRAMS.query, parts.query);
  ends[FIELD.query] = n;
  n = crossGrams(hashes, n, parts);
  ends[FIELD.cross] = n;
  n = segments(hashes, n, parts.path);
  ends[FIELD.segments] = n;
}

function seedOf(place: number): number {
  return Math.imul(place, GOLDEN);
}

function step(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Codes of one text with a mark at both ends. Reused, so that a string is read character by character only once. */
const codes = new Uint16Array(Math.max(...Object.values(GRAMS).map(({ max }) => max)) + 2);

/** Writes every run of `from` to `to` characters, with a mark at both ends of the text. */
function grams(out: Uint32Array, start: number, { seed, max, from, to, codeOf }: GramKind, text: string): number {
  if (text === '') return start;
  let n = start;
  const length = Math.min(text.length, max) + 2;
  codes[0] = EDGE;
  for (let at = 1; at < length - 1; at++) codes[at] = codeOf(text.charCodeAt(at - 1));
  codes[length - 1] = EDGE;
  for (let i = 0; i + from <= length; i++) {
    let hash = seed;
    const end = Math.min(i + to, length);
    for (let at = i; at < end; at++) {
      hash = step(hash, codes[at] ?? 0);
      if (at >= i + from - 1) out[n++] = finish(hash);
    }
  }
  return n;
}

/** Returns v for a vowel, c for a consonant, 9 for a digit, and any other character as it is. */
function shapeOf(code: number): number {
  if (code >= 97 && code <= 122) {
    return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121 ? 118 : 99;
  }
  return code >= 48 && code <= 57 ? 57 : code;
}

function suffixMarks(out: Uint32Array, start: number, parts: UrlParts): number {
  let n = start;
  const suffix = textHash(0x88, parts.suffix);
  const { label } = parts;
  let digits = 0;
  let hyphens = 0;
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    if (code >= 48 && code <= 57) digits++;
    else if (code === 45) hyphens++;
  }
  const bare = parts.path === '' && parts.query === '' ? 1 : 0;
  const sub = parts.subdomain === '' ? 0 : 1;
  const marks = [
    0,
    0x100 + bare * 2 + sub,
    0x200 + Math.min(label.length, 24),
    0x300 + Math.min(digits, 6),
    0x400 + Math.min(hyphens, 4),
  ];
  for (const mark of marks) out[n++] = finish(step(suffix, mark));
  out[n++] = finish(step(step(0x99, bare), sub));
  const lastDot = parts.suffix.lastIndexOf('.');
  if (lastDot >= 0) out[n++] = finish(step(textHash(0x88, parts.suffix.slice(lastDot + 1)), 0x500 + bare));
  return n;
}

/**
 * Writes the shape of a name in combination with its suffix: shape trigrams, and the whole of label, subdomain and path
 * with each run of letters or digits as one mark.
 */
function crossGrams(out: Uint32Array, start: number, { label, subdomain, suffix, path }: UrlParts): number {
  const seed = textHash(0x88, suffix);
  let n = grams(out, start, { ...GRAMS.shape, seed: step(seed, 7), to: 3 }, label);
  out[n++] = finish(outline(step(seed, 1), label, false));
  out[n++] = finish(outline(step(seed, 2), label, true));
  out[n++] = finish(outline(step(seed, 3), subdomain, false));
  out[n++] = finish(outline(step(seed, 4), path, false));
  out[n++] = finish(outline(5, path, false));
  return n;
}

/**
 * Hashes runs of letters and of digits as one mark each, with their lengths if `exact`; other characters as they are.
 */
function outline(seed: number, text: string, exact: boolean): number {
  let hash = seed;
  let previous = 0;
  let run = 0;
  const length = Math.min(text.length, 100);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const kind = (code | 32) >= 97 && (code | 32) <= 122 ? (code < 97 ? 65 : 99) : code >= 48 && code <= 57 ? 57 : code;
    run++;
    if (kind === previous) continue;
    hash = step(exact ? step(hash, Math.min(run, 12)) : hash, kind);
    previous = kind;
    run = 0;
  }
  return exact ? step(hash, Math.min(run, 12)) : hash;
}

function textHash(seed: number, text: string): number {
  let hash = seedOf(seed);
  for (let i = 0; i < text.length; i++) hash = step(hash, lower(text.charCodeAt(i)));
  return hash;
}

/** Writes runs of letters and runs of digits; a run of digits counts by its length only. */
function words(out: Uint32Array, start: number, seed: number, text: string): number {
  let n = start;
  let hash = 0;
  let kind = 0;
  let run = 0;
  const length = Math.min(text.length, MAX_WORD_TEXT);
  const limit = start + MAX_WORDS;
  for (let i = 0; i <= length && n < limit; i++) {
    const code = i < length ? lower(text.charCodeAt(i)) : DOT;
    const next = code >= 97 && code <= 122 ? 1 : code >= 48 && code <= 57 ? 2 : 0;
    if (next !== kind) {
      if (kind !== 0) out[n++] = finish(kind === 2 ? step(hash, 0x700 + run) : hash);
      hash = seedOf(seed);
      run = 0;
      kind = next;
    }
    if (next === 1) hash = step(hash, code);
    run++;
  }
  return n;
}

/** Writes the whole segments of a path: the files and folders of kits. */
function segments(out: Uint32Array, start: number, path: string): number {
  let n = start;
  let hash = SEGMENT_SEED;
  const length = path === '' ? -1 : Math.min(path.length, MAX_WORD_TEXT);
  for (let i = 0; i <= length && n < start + MAX_SEGMENTS; i++) {
    const code = i < length ? lower(path.charCodeAt(i)) : SLASH;
    if (code !== SLASH) {
      hash = step(hash, code);
      continue;
    }
    out[n++] = finish(hash);
    hash = SEGMENT_SEED;
  }
  return n;
}
