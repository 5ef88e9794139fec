import { expect, test } from 'bun:test';
import { SettingsError, withAllProblems } from '#src/core/base/settings/settings-error.ts';

const wrong = (...problems: string[]) => Promise.reject(new SettingsError(problems));

test('what is wrong with several settings is told at once, in their order', async () => {
  const made = withAllProblems([wrong('a', 'b'), Promise.resolve(1), wrong('c')]);
  await expect(made).rejects.toMatchObject({ name: 'SettingsError', problems: ['a', 'b', 'c'] });
});

test('what is no fault of the settings comes first', async () => {
  const disk = new Error('the disk is full');
  await expect(withAllProblems([wrong('a'), Promise.reject(disk)])).rejects.toBe(disk);
});

test('without a problem there is what was made', async () => {
  expect(await withAllProblems([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
});
