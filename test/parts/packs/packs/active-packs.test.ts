import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  modelOfPacks,
  NO_PACKS,
  overviewOf,
  type PacksOverview,
  thresholdsOfPacks,
  withBrandsOfPacks,
} from '#src/admin/active/active-packs.ts';
import {
  changePackState,
  type InstalledPack,
  installedPackPath,
  packStateFile,
  withPack,
} from '#src/admin/active/pack-state.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { openActivePacks, openInstalledFile, withActivePack } from '#src/parts/packs/packs/active-packs.ts';
import { openPack, readSeal } from '#src/parts/packs/packs/open-pack.ts';
import { modelVersionIn } from '#src/parts/packs/packs/pack-contents.ts';
import type { NewMember } from '#src/parts/packs/packs/write-pack.ts';
import { knowledge } from '#test/support/knowledge.ts';
import { ABOUT, member, smallPack } from '#test/support/packs.ts';
import { rdapTable } from '#test/support/server-tables.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const opened = Promise.resolve(knowledge);
const brand = (name: string, domain: string) => ({ name, domains: [domain], pages: [] });
const brands = (...all: ReturnType<typeof brand>[]) =>
  member('brands', 'brands.json', JSON.stringify({ version: 1, brands: all }));
const thresholds = (warn: number) => member('thresholds', 'thresholds.json', JSON.stringify({ warn, block: 0.9 }));

/** Stores a pack and makes it active. */
async function install(dataDir: string, name: string, ...members: NewMember[]): Promise<InstalledPack> {
  mkdirSync(join(dataDir, 'packs'), { recursive: true });
  const path = await smallPack(join(dataDir, 'new.pack'), { about: { name }, members });
  const { print, signer } = openPack(await readSeal(path));
  const kept = { name, version: 1, print, signer: signer?.fingerprint ?? '', installed: ABOUT.created };
  writeFileSync(installedPackPath(dataDir, kept), await Bun.file(path).bytes());
  changePackState(dataDir, (state) => withPack(state, kept));
  return kept;
}

test('active packs are opened with their contents, and unreadable ones are named with the reason', async () => {
  await using directory = temporaryDirectory();
  await install(directory.path, 'a', brands(brand('Zeta', 'zeta.example'), brand('Own', 'pack.example')));
  await install(directory.path, 'b', thresholds(0.5));
  await install(directory.path, 'c', thresholds(0.6), brands(brand('Beta', 'beta.example')));
  for (const name of ['d', 'e'])
    writeFileSync(installedPackPath(directory.path, await install(directory.path, name, thresholds(0.1))), 'x');
  const packs = await openActivePacks(directory.path, opened);
  expect(packs.packs.map(({ installed: kept }) => kept.name)).toEqual(['a', 'b', 'c']);
  expect(packs.unusable.map(({ installed: kept, problem }) => [kept.name, problem])).toEqual([
    ['d', 'it is not a pack of lurecheck'],
    ['e', 'it is not a pack of lurecheck'],
  ]);
  expect(packs.problem).toBeNull();
  expect(thresholdsOfPacks(packs)).toEqual({ warn: 0.5, block: 0.9 });
  expect(modelOfPacks(packs)).toBeNull();
  const own = [brand('OWN', 'own.example'), brand('Alpha', 'alpha.example')];
  expect(withBrandsOfPacks(own, packs).map(({ name, domains }) => [name, ...domains])).toEqual([
    ['Alpha', 'alpha.example'],
    ['Beta', 'beta.example'],
    ['OWN', 'own.example'],
    ['Zeta', 'zeta.example'],
  ]);
  expect(overviewOf(packs).packs.map((pack) => Object.keys(pack))).toEqual([
    ['installed', 'manifest'],
    ['installed', 'manifest'],
    ['installed', 'manifest'],
  ]);
});

test('without packs, the configured brands are unchanged and nothing else is set', () => {
  const own = [brand('B', 'b.example'), brand('A', 'a.example')];
  expect(withBrandsOfPacks(own, NO_PACKS)).toEqual(own);
  expect([thresholdsOfPacks(NO_PACKS), modelOfPacks(NO_PACKS)]).toEqual([null, null]);
});

test('a new version replaces the pack with the same name', async () => {
  await using directory = temporaryDirectory();
  await install(directory.path, 'a', thresholds(0.5));
  await install(directory.path, 'b', thresholds(0.6));
  const packs = await openActivePacks(directory.path, opened);
  const [first] = packs.packs;
  if (first === undefined) throw new Error('no pack');
  const newer = { ...first, installed: { ...first.installed, version: 2 } };
  expect(withActivePack(packs, newer).packs.map(({ installed }) => [installed.name, installed.version])).toEqual([
    ['b', 1],
    ['a', 2],
  ]);
});

test('the tables of facts of all packs are known, also without their contents, and those of a replaced pack are not', async () => {
  await using directory = temporaryDirectory();
  const facts = (day: string) => member('facts', 'facts/rdap-servers.json', rdapTable(day));
  await install(directory.path, 'a', facts('2025-06-01'));
  await install(directory.path, 'b', facts('2025-07-01'));
  await install(directory.path, 'c', facts('2999-01-01'));
  const packs = await openActivePacks(directory.path, opened);
  const daysOf = ({ tables }: PacksOverview) => tables.map(({ retrieved }) => retrieved);
  expect(daysOf(overviewOf(packs))).toEqual(['2025-06-01', '2025-07-01']);
  expect(packs.unusable).toMatchObject([{ installed: { name: 'c' }, problem: expect.stringContaining('2999-01-01') }]);
  const [first] = packs.packs;
  if (first === undefined) throw new Error('no pack');
  const next = { ...first, contents: { ...first.contents, tables: [] } };
  expect(daysOf(withActivePack(packs, next))).toEqual(['2025-07-01']);
});

test('of several packs with a model or thresholds, the first by name is used', async () => {
  await using directory = temporaryDirectory();
  const lexical = await Bun.file(lexicalPath).bytes();
  for (const [at, name] of ['c', 'a', 'b'].entries())
    await install(
      directory.path,
      name,
      thresholds(0.5 + at / 10),
      {
        ...{ kind: 'model', name: 'model/lexical.bin', content: lexical },
      },
      member('model', 'model/fusion.json', JSON.stringify({ ...fusionJson, name: `model_${name}` })),
    );
  const packs = await openActivePacks(directory.path, opened);
  expect(packs.packs.map(({ contents }) => modelVersionIn(contents))).toEqual(
    ['a', 'b', 'c'].map((name) => expect.stringContaining(`model_${name}`)),
  );
  expect(modelOfPacks(packs)).toBe(packs.packs[0]?.contents.model ?? null);
  expect(thresholdsOfPacks(packs)?.warn).toBe(0.6);
});

test('a stored pack is refused if its content or signer differs from the installed one', async () => {
  await using directory = temporaryDirectory();
  const kept = await install(directory.path, 'a', thresholds(0.5));
  expect((await openInstalledFile(directory.path, kept)).print).toBe(kept.print);
  await expect(openInstalledFile(directory.path, { ...kept, signer: '0'.repeat(64) })).rejects.toThrow(
    'it differs from the one',
  );
  const otherPrint = `${kept.print.slice(0, 16)}${'0'.repeat(48)}`;
  await expect(openInstalledFile(directory.path, { ...kept, print: otherPrint })).rejects.toThrow(
    'it differs from the one',
  );
});

test('if the file that names the active packs cannot be read, none is active and the reason is reported', async () => {
  await using directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'packs'));
  writeFileSync(packStateFile(directory.path), '{}');
  const { packs, problem } = await openActivePacks(directory.path, opened);
  expect(packs).toEqual([]);
  expect(problem).toContain('does not name the active packs');
});
