import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { FACT_AGES, OLDEST_FACTS } from '#src/app/fact-ages.ts';

test('the age of every table of facts in the program is known', async () => {
  const tables: Record<string, string> = {};
  for await (const path of new Glob('src/{app,core,network,engine,checks,admin,service,interfaces}/**/*.json').scan()) {
    const { retrieved } = await Bun.file(path).json();
    if (typeof retrieved === 'string') tables[path.replace(/.*\//, '')] = retrieved;
  }
  expect(Object.fromEntries(FACT_AGES.map(({ table, retrieved }) => [table, retrieved]))).toEqual(tables);
  expect(OLDEST_FACTS.retrieved).toBe(Object.values(tables).sort()[0] ?? '');
});
