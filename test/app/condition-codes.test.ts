import { expect, test } from 'bun:test';
import { ALL_PARTS } from '#src/app/parts.ts';
import { NOTICE_CODES } from '#src/core/base/text/condition.ts';
import { readSources } from '#test/support/source-files.ts';

test('the core and each part declare the codes of their notices', async () => {
  const declared = new Map<string, readonly string[]>([
    ['', NOTICE_CODES],
    ...ALL_PARTS.map(({ name, conditions }) => [name, conditions] as const),
  ]);
  const made = (await readSources()).flatMap(({ path, text }) => {
    const owner = /^parts\/([\w-]+)\//.exec(path)?.[1] ?? '';
    return [...text.matchAll(/\bnotice\(\s*'(\w+)'/g)].map(([, code = '']) => ({ owner, code }));
  });
  expect(made.length).toBeGreaterThan(20);
  expect(made.filter(({ owner, code }) => declared.get(owner)?.includes(code) !== true)).toEqual([]);
});
