import { describe, expect, test } from 'bun:test';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { type Mutant, mutantsIn } from '../../.ci/mutation/mutants.ts';

/** The mutants of each source, which all are read at once: the compiler is a process of its own. */
async function mutate(sources: readonly string[]): Promise<Mutant[][]> {
  const paths = sources.map((_, at) => `src/${at}.ts`);
  const files = Object.fromEntries(paths.map((path, at) => [`/${path}`, sources[at] ?? '']));
  const mutants = await mutantsIn('/', paths, createVirtualFileSystem({ '/tsconfig.json': '{}', ...files }));
  return paths.map((path) => mutants.filter((mutant) => mutant.path === path));
}

/** Sources, and what becomes of each; imports and types stay as they are. */
const CHANGES: readonly (readonly [before: string, after: readonly string[]])[] = [
  ['if (a) b()', ['if (!(a)) b()', 'if (a) ;']],
  ['if (a) throw b', ['if (!(a)) throw b', ';']],
  ['while (a) { b; continue }', ['while (!(a)) { b; continue }', 'while (a) { ; continue }']],
  ['for (; a;) ;', ['for (; !(a);) ;']],
  ['x = a ? b : c', [';', 'x = !(a) ? b : c']],
  ['let x = a && b', ['let x = a', 'let x = b']],
  ['let x = a || b', ['let x = a', 'let x = b']],
  ['let x = a ?? b', ['let x = a', 'let x = b']],
  ['let x = a < b', ['let x = a <= b']],
  ['let x = a === b', ['let x = a !== b']],
  ['let x = a + b', ['let x = a - b']],
  ["let x = 'a' + b", ["let x = '' + b"]],
  ['let x = !a', ['let x = a']],
  ['let x = 7', ['let x = (6)', 'let x = (8)']],
  ['let x = 0x10n', ['let x = (15n)', 'let x = (17n)']],
  ['let x = true', ['let x = false']],
  ["let x = ''", ["let x = 'mutant'"]],
  ['let x = /^a$/i', ['let x = /a$/i', 'let x = /^a/i', 'let x = /^a$/']],
  ['let x = /a\\$/', []],
  ['let x = [a, ...b]', ['let x = [...b]', 'let x = [a]']],
  ['let x = a.some(b)', ['let x = a.every(b)']],
  ['let x = a.trim()', ['let x = a']],
  ['let x = a.slice(b, c)', ['let x = a', 'let x = a.slice(b)']],
  ["import a from './a.ts'; let x: 'b' | 1 = a", []],
  ["let x = { 'a': b, description: 'c' }", []],
  ["throw new OwnError('some words', 'code')", ["throw new OwnError('some words', '')"]],
  [`throw new OwnError(\`some words ${'$'}{a + b}\`)`, []],
  ["class OwnError extends Error { name = 'OwnError' }", []],
  ['let [x = 1, { y = 2 } = z] = a', ['let [x = 1, { y = (1) } = z] = a', 'let [x = 1, { y = (3) } = z] = a']],
  ['let x = a[b] ?? 1', ['let x = a[b]', 'let x = 1']],
];

describe('mutants', () => {
  test('are all small changes of a source, one at a time', async () => {
    const mutants = await mutate(CHANGES.map(([source]) => source));
    const made = mutants.map((of, at) => [CHANGES[at]?.[0] ?? '', of.map(({ text }) => text)]);
    expect<unknown>(made).toEqual(CHANGES);
  });

  test('contain their position, and the lines before and after the change', async () => {
    const source = 'function a(b: boolean) {\n  if (\n    b\n  )\n    return 1;\n  return 2;\n}\n';
    const [mutants] = await mutate([source]);
    expect(mutants?.find(({ after }) => after === '  ;')).toEqual({
      path: 'src/0.ts',
      line: 2,
      column: 3,
      before: '  if (\n    b\n  )\n    return 1;',
      after: '  ;',
      text: 'function a(b: boolean) {\n  ;\n  return 2;\n}\n',
    });
  });
});
