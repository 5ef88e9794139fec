import { expect, test } from 'bun:test';
import { EQUIVALENT_MUTANTS, unindented } from '../../.ci/mutation/equivalent.ts';

test('every known equivalent mutant matches the current sources and has a reason', async () => {
  for (const { path, before, after, reason } of EQUIVALENT_MUTANTS) {
    const lines = (await Bun.file(path).text()).split('\n');
    const height = before.split('\n').length;
    const windows = lines.map((_, at) => unindented(lines.slice(at, at + height).join('\n')));
    expect(windows, path).toContain(before);
    expect(after).not.toBe(before);
    expect(reason.split(' ').length, reason).toBeGreaterThan(3);
  }
});

test('no mutant is listed twice', () => {
  const keys = EQUIVALENT_MUTANTS.map(({ path, before, after }) => `${path}\n${before}\n${after}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});
