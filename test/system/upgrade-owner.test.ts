import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, readdirSync } from 'node:fs';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { type MadeReleases, makeReleases } from './two-releases.ts';
import { makeBox } from './upgrade-box.ts';

/** nobody, to whom nothing else belongs. */
const OWNER = 65_534;

const [OLD, NEXT] = ['1.0.0', '1.1.0'];

const folder = temporaryDirectory();
let releases: MadeReleases;

beforeAll(async () => {
  chmodSync(folder.path, 0o755);
  releases = await makeReleases(folder.path);
});

afterAll(() => folder[Symbol.asyncDispose]());

test('an upgrade and a rollback by root leave every file of the data directory with its owner', async () => {
  await using directory = temporaryDirectory();
  chmodSync(directory.path, 0o755);
  await using box = await makeBox(directory.path, releases.program(OLD), OWNER);
  await box.start();
  expect(await box.check('before')).toBe(200);
  const foreign = () => String(Bun.spawnSync(['find', box.dataDir, '!', '-uid', String(OWNER)]).stdout);
  // The key of backups is made by the first one, which is that of the upgrade.
  expect(readdirSync(box.dataDir)).not.toContain('backup.key');
  expect((await box.upgrade(releases.archive(NEXT))).exitCode).toBe(0);
  expect([await box.version(), foreign()]).toEqual([NEXT, '']);
  expect(readdirSync(box.dataDir)).toContain('backup.key');
  expect(await box.check('between')).toBe(200);
  expect((await box.upgrade('--back')).exitCode).toBe(0);
  expect([await box.version(), foreign()]).toEqual([OLD, '']);
  expect(await box.check('after')).toBe(200);
  expect(await box.checked()).toEqual(['after', 'before', 'between']);
});
