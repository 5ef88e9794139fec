import { expect, test } from 'bun:test';
import { SettingsError, withAllProblems } from '#src/core/base/settings/setting-source.ts';

const wrong = (...problems: string[]) => Promise.reject(new SettingsError(problems));

test('problems of several settings are reported at once, in order', async () => {
  const made = withAllProblems([wrong('a', 'b'), Promise.resolve(1), wrong('c')]);
  await expect(made).rejects.toMatchObject({ name: 'SettingsError', problems: ['a', 'b', 'c'] });
});

test('an error that is not about settings is reported first', async () => {
  const disk = new Error('the disk is full');
  await expect(withAllProblems([wrong('a'), Promise.reject(disk)])).rejects.toBe(disk);
});

test('without a problem, the results are returned', async () => {
  expect(await withAllProblems([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
});
