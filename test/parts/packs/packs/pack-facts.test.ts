import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPack, readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { factsIn } from '#src/parts/packs/packs/pack-contents.ts';
import { type NewMember, readPackFolder } from '#src/parts/packs/packs/write-pack.ts';
import { member, smallPack } from '#test/support/packs.ts';
import { rdapTable, whoisTable } from '#test/support/server-tables.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

async function factsOf(...members: readonly NewMember[]) {
  await using directory = temporaryDirectory();
  const about = { created: '2026-01-01T00:00:00.000Z' };
  return await factsIn(openPack(await readSeal(await smallPack(join(directory.path, 'one.pack'), { about, members }))));
}

const RDAP = 'facts/rdap-servers.json';
const rdap = (text: string) => factsOf(member('facts', RDAP, text));

test('the tables of a pack are read with their days', async () => {
  const tables = await factsOf(
    member('facts', RDAP, rdapTable('2025-12-30')),
    member('facts', 'facts/whois-servers.json', whoisTable('2025-12-31')),
  );
  expect(tables.map(({ name, retrieved, servers }) => [name, retrieved, [...servers]])).toEqual([
    ['rdap-servers.json', '2025-12-30', [['example', 'https://rdap.pack.example/']]],
    ['whois-servers.json', '2025-12-31', [['example', 'whois.pack.example']]],
  ]);
  expect(await factsOf(member('other', RDAP, 'x'))).toEqual([]);
});

test.each([
  ['', 'rdap-servers.json must be a JSON object'],
  ['[1', 'rdap-servers.json must be a JSON object'],
  [rdapTable('2025-12-30').slice(0, -9), 'rdap-servers.json must be a JSON object'],
  ['{"source": "s", "licence": "l", "entries": {}}', 'rdap-servers.json lacks "retrieved"'],
  [rdapTable('yesterday'), '"retrieved" must be a day'],
  [whoisTable('2025-12-30'), '"entries" are not in the format'],
  [rdapTable('2026-01-03'), '"retrieved" is 2026-01-03, and the pack was created on 2026-01-01'],
  [rdapTable('2025-99-99'), '"retrieved" is 2025-99-99'],
  [`${rdapTable('2025-12-30')}${' '.repeat(64 * 1024)}`, 'it has more than 65536 bytes'],
])('the table %.40j is refused with a sentence', async (text, why) => {
  await expect(rdap(text)).rejects.toMatchObject({ code: 'unusable', message: expect.stringContaining(why) });
  await expect(rdap(text)).rejects.toThrow(`its ${RDAP} cannot be used: `);
});

test('another table is refused, and those that a pack may contain are named', async () => {
  const allowed = 'of facts, packs may contain facts/rdap-servers.json and facts/whois-servers.json';
  for (const name of ['facts/shorteners.json', 'facts/rdap-servers.txt', 'rdap-servers.json'])
    await expect(factsOf(member('facts', name, '{}'))).rejects.toThrow(allowed);
  await using directory = temporaryDirectory();
  writeFileSync(
    join(directory.path, 'pack.json'),
    '{"name": "a", "version": 1, "expires": "2030-01-01", "publisher": "A"}',
  );
  mkdirSync(join(directory.path, 'facts'));
  writeFileSync(join(directory.path, RDAP), '{}');
  expect((await readPackFolder(directory.path, 0)).members).toMatchObject([{ kind: 'facts', name: RDAP }]);
  writeFileSync(join(directory.path, 'facts/brands.json'), '{}');
  await expect(readPackFolder(directory.path, 0)).rejects.toThrow(allowed);
});
