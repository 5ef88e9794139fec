import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { FACT_AGES, factAgesWith, OLDEST_FACTS } from '#src/app/fact-ages.ts';

test('the age of every table of facts in the program is known', async () => {
  const tables: Record<string, string> = {};
  for await (const path of new Glob('src/{app,core,network,engine,checks,admin,service,interfaces}/**/*.json').scan()) {
    const { retrieved } = await Bun.file(path).json();
    if (typeof retrieved === 'string') tables[path.replace(/.*\//, '')] = retrieved;
  }
  expect(Object.fromEntries(FACT_AGES.map(({ table, retrieved }) => [table, retrieved]))).toEqual(tables);
  expect(OLDEST_FACTS.retrieved).toBe(Object.values(tables).sort()[0] ?? '');
});

test('the age of a table in use is that of the latest in a pack, or of the program', () => {
  const table = (retrieved: string) => ({ name: 'rdap-servers.json' as const, retrieved, servers: new Map() });
  expect(factAgesWith([table('2001-01-01')])).toEqual(FACT_AGES);
  const ages = factAgesWith([table('2998-01-01'), table('2999-01-01')]);
  expect(ages.at(-1)).toEqual({ table: 'rdap-servers.json', retrieved: '2999-01-01' });
  expect(ages).toHaveLength(FACT_AGES.length);
});
