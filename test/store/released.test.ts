import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnBrandsFile } from '#src/program/own-brands-file.ts';
import { readKeyFile } from '#src/server/keys/key-file.ts';
import { readBackup } from '#src/store/backup/read-backup.ts';
import { restoreBackup } from '#src/store/backup/restore-backup.ts';
import { EVERY_CHECK } from '#src/store/read/check-filter.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

/**
 * A backup of each release, with the same in it: three public checks, a private one, a key, a taught brand, made by `check
 * --record`, `key create`, `brand add`, `backup create` and `zstd -19`. Once its version is released, none is made anew: a
 * release whose formats differ brings another.
 */
const FOLDER = join(import.meta.dir, 'released');

const releases = readdirSync(FOLDER);

test('there is a backup of each release', () => {
  expect(releases).toContain('0.1.0.backup.zst');
});

test.each(releases)('%s is restored, brought to the formats of today, and worked with', async (release) => {
  await using directory = temporaryDirectory();
  const [backup, dataDir] = [join(directory.path, 'backup'), join(directory.path, 'data')];
  await Bun.write(backup, Bun.zstdDecompressSync(await Bun.file(join(FOLDER, release)).bytes()));
  const { about } = await readBackup(backup);
  expect(about).toMatchObject({ version: release.replace('.backup.zst', ''), checks: { public: 3, private: 1 } });
  await restoreBackup(backup, dataDir);

  await using log = await openLog(dataDir);
  expect([log.notices(), (await log.health()).problem]).toEqual([[], null]);
  const read = async (visibility: 'public' | 'private') =>
    (await Array.fromAsync(log.read(visibility, EVERY_CHECK))).map(({ result }) => result);
  const open = await read('public');
  expect(open.map(({ decision, url }) => [decision, url]).toSorted()).toEqual([
    ['allow', 'https://example.com/path?a=1'],
    ['allow', 'https://xn--bcher-kva.example/'],
    ['block', 'http://paypal-login.verify-account.cyou/signin'],
  ]);
  for (const { analysis_details: details, malicious_probability: p } of [...open, ...(await read('private'))]) {
    if (details === null) throw new Error('a record cannot be read');
    const sum = details.reasons.reduce((total, { weight }) => total + weight, details.base_log_odds);
    expect(sum).toBeCloseTo(Math.log(p / (1 - p)), 6);
  }
  const { items } = await log.page({ ...EVERY_CHECK, limit: 9, cursor: null, text: null, domain: 'cyou' });
  expect(items.map(({ decision }) => decision)).toEqual(['block']);
  await log.append(sampleRecord());
  expect((await log.walk({ ...EVERY_CHECK, limit: 9, after: '', text: null })).items).toHaveLength(4);
  expect(readKeyFile(dataDir).map(({ name, limit }) => [name, limit])).toEqual([['office', 7]]);
  expect((await readOwnBrandsFile(dataDir)).map(({ name }) => name)).toEqual(['Nordwerk']);
});
