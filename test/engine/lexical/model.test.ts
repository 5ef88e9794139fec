import { describe, expect, test } from 'bun:test';
import { loadLexicalModel } from '#src/engine/lexical/model.ts';
import {
  LexicalModelError,
  readSections,
  type SectionName,
  writeSections,
} from '#src/engine/lexical/model-sections.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { targetOf } from '#test/support/target.ts';
import { modelFile } from './open-model.ts';

const open = (bytes: Uint8Array) => loadLexicalModel(bytes, knowledge);

describe('the lexical model file', () => {
  test('opens from bytes at any offset', () => {
    const shifted = new Uint8Array(modelFile.byteLength + 3);
    shifted.set(modelFile, 3);
    expect(open(shifted.subarray(3)).version).toBe(open(modelFile).version);
  });

  test('is rejected if a single bit is changed', () => {
    for (const at of [0, 4, 40, 1000, modelFile.byteLength - 9]) {
      const damaged = modelFile.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => open(damaged), `byte ${at}`).toThrow(LexicalModelError);
    }
  });

  test('is rejected if it is truncated, empty or another file', () => {
    for (const size of [0, 3, 16, 64, modelFile.byteLength - 8]) {
      expect(() => open(modelFile.slice(0, size)), `${size} bytes`).toThrow(LexicalModelError);
    }
    expect(() => open(new TextEncoder().encode('not a model at all, but long enough.'))).toThrow(LexicalModelError);
  });

  test('opens after its sections are written again', () => {
    expect(() => open(rewritten('params', (bytes) => bytes))).not.toThrow();
  });

  test('is rejected if it was trained for other columns', () => {
    expect(() => open(rewritten('columnNames', () => Uint32Array.of(1)))).toThrow('train it again');
  });

  test('is rejected if its sections are inconsistent', () => {
    const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2);
    for (const name of [
      'treeValues',
      'treeFeatures',
      'nameGrams',
      'suffixPriors',
      'suffixBounds',
      'pathCodebook',
    ] as const) {
      expect(() => open(rewritten(name, half)), name).toThrow(LexicalModelError);
    }
  });

  test('opens without bounds, as written by earlier versions', () => {
    const sections = readSections(modelFile);
    const earlier = NAMES.filter((name) => name !== 'suffixBounds');
    const model = open(writeSections(new Map(earlier.map((name) => [name, sections.bytes(name)]))));
    expect(model.suffixBounds).toBeNull();
    expect(scoreUrl(model, targetOf('https://garden-oak.shop/')).length).toBeGreaterThan(0);
  });

  test('stays within the size of weights and tables', () => {
    expect(modelFile.byteLength).toBeLessThan(5 * 1024 * 1024);
  });
});

/** Sections of the shipped model. */
const NAMES: readonly SectionName[] = [
  ...(['params', 'ngramWeights', 'ngramCodebook', 'columnNames', 'treeFeatures', 'treeThresholds'] as const),
  ...(['treeValues', 'nameGrams', 'suffixKeys', 'suffixPriors', 'suffixCounts'] as const),
  ...(['popularLabelKeys', 'popularLabelRanks', 'wordKeys', 'wordValues', 'pathWeights', 'pathCodebook'] as const),
  'suffixBounds',
];

/** Returns the shipped model with one section replaced and a valid checksum. */
function rewritten(replaced: SectionName, change: (bytes: Uint8Array) => ArrayBufferView): Uint8Array {
  const sections = readSections(modelFile);
  return writeSections(
    new Map(NAMES.map((name) => [name, name === replaced ? change(sections.bytes(name)) : sections.bytes(name)])),
  );
}
