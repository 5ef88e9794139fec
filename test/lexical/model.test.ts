import { describe, expect, test } from 'bun:test';
import { loadLexicalModel } from '#src/lexical/model.ts';
import { LexicalModelError } from '#src/lexical/model-sections.ts';

const file = await Bun.file(new URL('../../src/models/lexical.bin', import.meta.url)).bytes();

describe('the lexical model file', () => {
  test('opens from bytes at any address', () => {
    const shifted = new Uint8Array(file.byteLength + 3);
    shifted.set(file, 3);
    expect(loadLexicalModel(shifted.subarray(3)).version).toBe(loadLexicalModel(file).version);
  });

  test('is refused when a single bit of it has changed', () => {
    for (const at of [0, 4, 40, 1000, file.byteLength - 9]) {
      const damaged = file.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => loadLexicalModel(damaged), `byte ${at}`).toThrow(LexicalModelError);
    }
  });

  test('is refused when it is cut short, empty or something else', () => {
    for (const size of [0, 3, 16, 64, file.byteLength - 8]) {
      expect(() => loadLexicalModel(file.slice(0, size)), `${size} bytes`).toThrow(LexicalModelError);
    }
    expect(() => loadLexicalModel(new TextEncoder().encode('not a model at all, but long enough.'))).toThrow(
      LexicalModelError,
    );
  });
});
