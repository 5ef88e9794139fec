import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { perform } from '#src/admin/audit/act.ts';
import { ownPictureName } from '#src/checks/store/pictures/own-picture.ts';
import { ownPictureIn } from '#src/checks/store/pictures/picture-path.ts';
import { ADD_BRAND, REMOVE_BRAND } from '#src/parts/tuning/brands/brand-acts.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };
const NORDWERK = { name: 'Nordwerk', domains: ['nordwerk.example'], pages: [] };

test('a brand is added, gets another domain, and is removed by its name in any case', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const names = () => readConfiguredBrandsFile(directory.path).map(({ name, domains }) => [name, ...domains]);
  await perform(ADD_BRAND, place, BY, NORDWERK);
  await perform(ADD_BRAND, place, BY, { ...NORDWERK, domains: ['nordwerk.test'] });
  await perform(ADD_BRAND, place, BY, { ...NORDWERK, name: 'Suedwerk', domains: ['suedwerk.example'] });
  expect(names()).toEqual([
    ['Nordwerk', 'nordwerk.example', 'nordwerk.test'],
    ['Suedwerk', 'suedwerk.example'],
  ]);
  await perform(REMOVE_BRAND, place, BY, 'nordwerk');
  expect(names()).toEqual([['Suedwerk', 'suedwerk.example']]);
  expect(auditLines(directory.path)).toEqual(
    ['add Nordwerk', 'add Nordwerk', 'add Suedwerk', 'remove Nordwerk']
      .map((line) => line.split(' '))
      .map(([what, name]) => ({ action: `brand.${what}`, subject: name ?? null, detail: {} })),
  );
});

test('the brands are read when the change is made, since another node may have changed them', async () => {
  await using directory = temporaryDirectory();
  const own = ownPlace(directory.path);
  const other = { ...NORDWERK, name: 'Suedwerk', domains: ['suedwerk.example'] };
  const place = {
    ...own,
    async change<T>(_: unknown, work: () => Promise<T>) {
      await perform(ADD_BRAND, own, BY, other);
      return await work();
    },
  };
  await perform(ADD_BRAND, place, BY, NORDWERK);
  expect(readConfiguredBrandsFile(directory.path).map(({ name }) => name)).toEqual(['Nordwerk', 'Suedwerk']);
});

test('a domain of a platform, and a brand that is not there, are refused without a record', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const shared = perform(ADD_BRAND, place, BY, { ...NORDWERK, domains: ['github.io'] });
  await expect(shared).rejects.toMatchObject({ errorCode: 'brand_refused' });
  await expect(perform(REMOVE_BRAND, place, BY, 'Nordwerk')).rejects.toMatchObject({ errorCode: 'brand_not_found' });
  expect(() => auditLines(directory.path)).toThrow('ENOENT');
});

test('brands that are added at the same time are all kept, and each is recorded once', async () => {
  await using directory = temporaryDirectory();
  const names = Array.from({ length: 8 }, (_, i) => `Werk ${i}`);
  await Promise.all(
    names.map((name, i) =>
      perform(ADD_BRAND, ownPlace(directory.path), BY, { name, domains: [`werk${i}.example`], pages: [] }),
    ),
  );
  const brands = readConfiguredBrandsFile(directory.path);
  expect(brands.map(({ name }) => name).toSorted()).toEqual(names);
  expect(auditLines(directory.path).map(({ action }) => action)).toEqual(names.map(() => 'brand.add'));
});

test('pictures of own pages are kept with their brands, and removed with the last one that has them', async () => {
  await using directory = temporaryDirectory();
  const place = ownPlace(directory.path);
  const [one, other] = [Buffer.from('RIFF one'), Buffer.from('RIFF other')];
  const seenAs = (...files: readonly Buffer[]) => ({
    icons: [{ sha256: 'ab', shape: null }],
    looks: files.map((file) => ({
      ...{ width: 1280, height: 800, fields: [], buttons: [] },
      ...{ colours: '00'.repeat(64), edges: '00'.repeat(320), picture: ownPictureName(file) },
    })),
    pictures: new Map(files.map((file) => [ownPictureName(file), file])),
  });
  await perform(ADD_BRAND, place, BY, { ...NORDWERK, seen: seenAs(one, other) });
  await perform(ADD_BRAND, place, BY, { ...NORDWERK, seen: seenAs(one) });
  await perform(ADD_BRAND, place, BY, {
    ...NORDWERK,
    name: 'Suedwerk',
    domains: ['suedwerk.example'],
    seen: seenAs(one),
  });
  const [brand] = readConfiguredBrandsFile(directory.path);
  expect([brand?.looks?.length, brand?.icons?.length]).toEqual([2, 1]);
  const kept = () => [one, other].map((file) => existsSync(ownPictureIn(directory.path, ownPictureName(file)) ?? ''));
  expect(kept()).toEqual([true, true]);
  await perform(REMOVE_BRAND, place, BY, 'Nordwerk');
  expect(kept()).toEqual([true, false]);
  await perform(REMOVE_BRAND, place, BY, 'Suedwerk');
  expect(kept()).toEqual([false, false]);
  expect(ownPictureIn(directory.path, '../audit')).toBeNull();
});
