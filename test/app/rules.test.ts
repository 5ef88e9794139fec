import { describe, expect, test } from 'bun:test';
import { readConfig } from '#src/app/config.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { problemsOfEngine } from './engine-problems.ts';

function problemsOf(flags: Readonly<Record<string, readonly string[]>>): readonly string[] {
  try {
    readConfig({ flags, environment: {}, file: null });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const LIMITER = { limiter: ['redis://127.0.0.1'] };
const KEY = { 'client-key-file': ['key'] };

test.each([
  [{ ...LIMITER, ...KEY, 'reuse-port': ['true'] }, []],
  [KEY, []],
  [LIMITER, ['limiter is set, but client_key_file is not: all nodes must use the same key']],
  [{ 'reuse-port': ['true'] }, ['reuse_port is set, but limiter is not: each process would have its own limit']],
])('%j: what is shared is shared by all that it takes', (flags, problems) => {
  expect(problemsOf(flags)).toEqual(problems);
});

describe('the threshold of warnings', () => {
  test('must be below that of blocks, which is told with all other problems', () => {
    expect(problemsOf({ 'warn-threshold': ['0.9'], 'block-threshold': ['0.5'], 'rate-limit': ['some'] })).toEqual([
      '--rate-limit is "some", but must be a whole number from 0',
      'warn_threshold is 0.9, but must be below block_threshold, which is 0.5',
    ]);
    expect(problemsOf({ 'warn-threshold': ['0.5'], 'block-threshold': ['0.5'] })).toEqual([
      'warn_threshold is 0.5, but must be below block_threshold, which is 0.5',
    ]);
    expect(problemsOf({ 'warn-threshold': ['0.4'], 'block-threshold': ['0.5'] })).toEqual([]);
  });

  test('is not held against one that is itself wrong', () => {
    expect(problemsOf({ 'warn-threshold': ['0.9'], 'block-threshold': ['low'] })).toEqual([
      '--block-threshold is "low", but must be a number between 0 and 1',
    ]);
  });

  test('is held against the one of the model where only one is set, and told with all other problems', async () => {
    expect(await problemsOfEngine({ warn_threshold: 0.99, block_list: ['/none'] })).toEqual([
      'warn_threshold is 0.99, but must be below block_threshold, which is 0.87 by the model',
      'block_list is "/none", which does not exist',
    ]);
    expect(await problemsOfEngine({ block_threshold: 0.01 })).toEqual([
      'warn_threshold is 0.488 by the model, but must be below block_threshold, which is 0.01',
    ]);
    expect(await problemsOfEngine({ warn_threshold: 0.7 })).toEqual([]);
  });
});
