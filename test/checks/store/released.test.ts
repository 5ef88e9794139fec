import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { MIGRATIONS } from '#src/checks/store/file/migrate.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { VERSION } from '#src/core/base/version.ts';
import { readBackup } from '#src/parts/backup/archive/read-backup.ts';
import { restoreBackup } from '#src/parts/backup/archive/restore-backup.ts';
import { lurecheck } from '#test/support/executable.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

/**
 * A backup of each release, with the same in it: three public checks, a private one, a key, a taught brand, an entry of a
 * list, feedback that was accepted; made by `check --record`, `key create`, `brand add`, `lists add`, `serve`, `feedback accept`,
 * `backup create` and `zstd -19`; those of a schema from before the release have it behind a `+`. Once its version is released, none is made anew: a
 * release whose formats differ brings another.
 */
const FOLDER = join(import.meta.dir, 'released');

const releases = readdirSync(FOLDER);

async function unpacked(release: string, folder: string): Promise<string> {
  const path = join(folder, 'backup');
  await Bun.write(path, Bun.zstdDecompressSync(await Bun.file(join(FOLDER, release)).bytes()));
  return path;
}

/** The releases that a changelog names of which there is no backup, and the version to come, if it has none. */
function withoutBackup(changelog: string, toCome: string, backups: readonly string[]): string[] {
  const named = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+[^\]]*)\]/gm)].map(([, version]) => version ?? '');
  return [...named, toCome].filter((version) => !backups.includes(`${version}.backup.zst`));
}

test('there is a backup of each release, and one in the current formats for the next version', async () => {
  expect(withoutBackup(await Bun.file('CHANGELOG.md').text(), VERSION, releases)).toEqual([]);
  await using directory = temporaryDirectory();
  const { about } = await readBackup(await unpacked(`${VERSION}.backup.zst`, directory.path));
  // Whoever adds a step makes the backup of the version to come anew; one that was released stays, and the next version begins.
  expect(about).toMatchObject({ version: VERSION, schema: MIGRATIONS.length });
});

test('detects a release without a backup', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [0.3.0] - 2027-01-01\n\n## [0.2.0-rc.1]\n\n## [0.1.0]\n';
  const missed = withoutBackup(changelog, '0.4.0', ['0.1.0.backup.zst', '0.3.0.backup.zst']);
  expect(missed).toEqual(['0.2.0-rc.1', '0.4.0']);
});

test.each(releases)('%s is restored, upgraded to the current formats, and usable', async (release) => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const backup = await unpacked(release, directory.path);
  const { about } = await readBackup(backup);
  expect(about).toMatchObject({
    version: release.replace(/(\+.*)?\.backup\.zst$/, ''),
    checks: { public: 3, private: 1 },
  });
  // It was made on whatever machine the release was.
  await restoreBackup(backup, dataDir, { key: null, mayBeForeign: true });

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
  for (const { decision, analysis_details: details, malicious_probability: p } of [
    ...open,
    ...(await read('private')),
  ]) {
    if (details === null) throw new Error('a record cannot be read');
    const sum = details.reasons.reduce((total, { weight }) => total + weight, details.base_log_odds);
    expect(sum).toBeCloseTo(Math.log(p / (1 - p)), 6);
    // No reason of these is telling; an allowed link needs caution from twice the base rate of 5 % on.
    expect([details.coverage, details.caution]).toEqual(['url_only', decision === 'allow' && p > 0.1]);
  }
  const { items } = await log.page({ ...EVERY_CHECK, limit: 9, cursor: null, text: null, domain: 'cyou' });
  expect(items.map(({ decision }) => decision)).toEqual(['block']);
  await log.append(sampleRecord());
  expect((await log.walk({ ...EVERY_CHECK, limit: 9, after: '', text: null })).items).toHaveLength(4);
  expect(readKeyFile(dataDir).map(({ name, limit }) => [name, limit])).toEqual([['office', 7]]);
  expect(readConfiguredBrandsFile(dataDir).map(({ name }) => name)).toEqual(['Nordwerk']);
  const judged = await lurecheck(['lists', 'test', 'https://evil.example/', '--data-dir', dataDir]);
  expect(judged.stdout).toContain('ours');
  using feedback = openFeedback({ dataDir, now: () => 0 });
  expect(feedback.newest(null, 9)).toMatchObject([{ verdict: 'benign', comment: 'our own', state: 'accepted' }]);
});
