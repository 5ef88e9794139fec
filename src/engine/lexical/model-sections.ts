import { FNV_BASIS, fnvStep } from '#src/core/base/fnv.ts';

/** The first four bytes of a model file, "LRKL". */
const MAGIC = 0x4c4b524c;

/** Version of the format; raised if the same bytes would have another meaning. */
const FORMAT_VERSION = 2;

const HEADER_WORDS = 4;
const ENTRY_WORDS = 3;
const ALIGNMENT = 8;

/** Sections of a model file. The numbers are the format: never reuse one. */
const SECTIONS = {
  params: 1,
  ngramWeights: 2,
  ngramCodebook: 3,
  columnNames: 4,
  treeFeatures: 5,
  treeThresholds: 6,
  treeValues: 7,
  nameGrams: 8,
  suffixKeys: 9,
  suffixPriors: 10,
  suffixCounts: 11,
  popularLabelKeys: 14,
  popularLabelRanks: 15,
  wordKeys: 16,
  wordValues: 17,
  pathWeights: 18,
  pathCodebook: 19,
  suffixBounds: 20,
} as const;

export type SectionName = keyof typeof SECTIONS;

/** The bytes are not a usable model; the message says why. */
export class LexicalModelError extends Error {
  override readonly name = 'LexicalModelError';
  readonly code = 'lexical_model_invalid';
}

/** Views over the bytes of a model file, without a copy if the bytes are aligned. */
export interface ModelSections {
  /** FNV-1a of the file, eight hexadecimal digits. */
  readonly fingerprint: string;
  /** Returns true if the file has a section; earlier versions wrote fewer. */
  has(name: SectionName): boolean;
  bytes(name: SectionName): Uint8Array;
  int8(name: SectionName): Int8Array;
  uint32(name: SectionName): Uint32Array;
  float32(name: SectionName): Float32Array;
  float64(name: SectionName): Float64Array;
}

/**
 * Opens a model file. Throws {@link LexicalModelError} if it is truncated, damaged or of another version.
 *
 * @param isTrusted skips the checksum, which takes longer than everything else
 */
export function readSections(file: Uint8Array | ArrayBuffer, isTrusted = false): ModelSections {
  const given = file instanceof Uint8Array ? file : new Uint8Array(file);
  const bytes = given.byteOffset % ALIGNMENT === 0 ? given : given.slice();
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength < HEADER_WORDS * 4 || byteLength % 4 !== 0) throw new LexicalModelError('the model file is cut short');
  const words = new Uint32Array(buffer, byteOffset, byteLength / 4);
  const [magic, version, checksum = 0, count = 0] = words;
  if (magic !== MAGIC) throw new LexicalModelError('this is not a model file');
  if (version !== FORMAT_VERSION) {
    throw new LexicalModelError(
      `the model file has format ${version}, this program reads ${FORMAT_VERSION}; train the model again`,
    );
  }
  if (!isTrusted && checksum !== fnv(words))
    throw new LexicalModelError('the model file is damaged: its checksum does not match');
  const entries = new Map<number, { start: number; length: number }>();
  for (let i = 0; i < count; i++) {
    const at = HEADER_WORDS + i * ENTRY_WORDS;
    const [id = 0, start = 0, length = 0] = words.subarray(at, at + ENTRY_WORDS);
    if (start % ALIGNMENT !== 0 || start + length > byteLength)
      throw new LexicalModelError('the model file is cut short');
    entries.set(id, { start, length });
  }
  const find = (name: SectionName, width: number) => {
    const entry = entries.get(SECTIONS[name]);
    if (!entry || entry.length % width !== 0)
      throw new LexicalModelError(`the model file has no usable part "${name}"`);
    return { at: byteOffset + entry.start, size: entry.length / width };
  };
  return {
    fingerprint: checksum.toString(16).padStart(8, '0'),
    has: (name) => entries.has(SECTIONS[name]),
    bytes: (name) => new Uint8Array(buffer, find(name, 1).at, find(name, 1).size),
    int8: (name) => new Int8Array(buffer, find(name, 1).at, find(name, 1).size),
    uint32: (name) => new Uint32Array(buffer, find(name, 4).at, find(name, 4).size),
    float32: (name) => new Float32Array(buffer, find(name, 4).at, find(name, 4).size),
    float64: (name) => new Float64Array(buffer, find(name, 8).at, find(name, 8).size),
  };
}

/** Returns the bytes of a model file for {@link readSections}. Assumes a little-endian host, as all targets are. */
export function writeSections(parts: ReadonlyMap<SectionName, ArrayBufferView>): Uint8Array {
  const align = (n: number) => Math.ceil(n / ALIGNMENT) * ALIGNMENT;
  let size = align((HEADER_WORDS + parts.size * ENTRY_WORDS) * 4);
  const table: { id: number; start: number; view: ArrayBufferView }[] = [];
  for (const [name, view] of parts) {
    table.push({ id: SECTIONS[name], start: size, view });
    size = align(size + view.byteLength);
  }
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer);
  words.set([MAGIC, FORMAT_VERSION, 0, table.length]);
  for (const [index, { id, start, view }] of table.entries()) {
    words.set([id, start, view.byteLength], HEADER_WORDS + index * ENTRY_WORDS);
    bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start);
  }
  words[2] = fnv(words);
  return bytes;
}

/** Returns FNV-1a over 32-bit words instead of bytes, for speed, without the checksum's own word. */
function fnv(words: Uint32Array): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < words.length; i++) {
    if (i !== 2) hash = fnvStep(hash, words[i] ?? 0);
  }
  return hash >>> 0;
}
