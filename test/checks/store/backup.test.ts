import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from 'tar-stream';
import { openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { backupKeyToMake, backupKeyToVerify } from '#src/parts/backup/archive/backup-mac.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { readBackup, readBackupAbout } from '#src/parts/backup/archive/read-backup.ts';
import { restoreBackup } from '#src/parts/backup/archive/restore-backup.ts';
import { takeWorkFolder } from '#src/parts/backup/archive/work-folder.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { refusal } from './backup-refusal.ts';
import { openLog } from './open-log.ts';

const VISIBILITIES = ['public', 'private'] as const;

const settings = (dataDir: string) => ({ data_dir: dataDir, backup_key_file: null });
const keyOf = (dataDir: string) => backupKeyToMake(settings(dataDir));
/** The key of the installation whose data directory lies beside a backup. */
const ownKey = async (backup: string) => ({ key: await backupKeyToVerify(settings(join(dirname(backup), 'data'))) });

/** A data directory with checks in both logs and files beside them, and a backup of it. */
async function backedUp(folder: string) {
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'one.backup');
  await using log = await openLog(dataDir);
  for (const visibility of VISIBILITIES) {
    for (let n = 0; n < 20; n++) await log.append(sampleRecord({ visibility, client: '192.0.2.1' }));
  }
  writeFileSync(join(dataDir, 'keys.json'), '{"version":1,"keys":[]}\n');
  writeFileSync(join(dataDir, 'empty.json'), '');
  mkdirSync(join(dataDir, 'models/1-abcd'), { recursive: true });
  writeFileSync(join(dataDir, 'models/1-abcd/lexical.bin'), new Uint8Array(200_000).fill(7));
  const about = await createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: Date.UTC(2026, 0, 31) });
  return { dataDir, backup, about };
}

describe('a backup', () => {
  test('restores every check and every file, and the service continues', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, backup, about } = await backedUp(directory.path);
    expect(about).toMatchObject({ made_at: '2026-01-31T00:00:00.000Z', checks: { public: 20, private: 20 } });
    expect((await readBackup(backup)).about).toEqual(about);
    expect(await readBackupAbout(backup)).toEqual(about);
    const restored = join(directory.path, 'restored');
    await restoreBackup(backup, restored, await ownKey(backup));
    for (const name of ['client.key', 'keys.json', 'empty.json', 'models/1-abcd/lexical.bin']) {
      expect([name, readFileSync(join(restored, name)).equals(readFileSync(join(dataDir, name)))]).toEqual([
        name,
        true,
      ]);
    }
    await using before = await openLog(dataDir);
    await using after = await openLog(restored);
    expect(after.notices()).toEqual([]);
    for (const visibility of VISIBILITIES) {
      const entries = await Array.fromAsync(after.read(visibility, EVERY_CHECK));
      expect(entries).toEqual(await Array.fromAsync(before.read(visibility, EVERY_CHECK)));
      await after.append(sampleRecord({ visibility }));
    }
    expect((await after.stats()).days).not.toEqual([]);
  });

  test('contains the feedback, including the part in its write-ahead log', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    using feedback = openFeedback({ dataDir, now: () => 0 });
    const given = { verdict: 'benign', url: 'https://example.com/', host: 'example.com', comment: 'ours' } as const;
    const said = { ...given, receivedAtMs: 1, requestId: null, decision: null, probability: null, modelVersion: null };
    feedback.take({ ...said, clientHash: Buffer.alloc(32) });
    feedback.settle(1, 'accepted', 'ours/example.com');
    await using log = await openLog(dataDir);
    const backup = join(directory.path, 'two.backup');
    await createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: 0 });
    const restored = join(directory.path, 'restored');
    await restoreBackup(backup, restored, await ownKey(backup));
    using kept = openFeedback({ dataDir: restored, now: () => 0 });
    expect(kept.newest(null, 9)).toEqual(feedback.newest(null, 9));
    expect(kept.newest(null, 9)).toMatchObject([{ comment: 'ours', state: 'accepted' }]);
  });

  test('is readable only by this user, and leaves no other file', async () => {
    await using directory = temporaryDirectory();
    const { backup } = await backedUp(directory.path);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory.path).toSorted()).toEqual(['data', 'one.backup']);
    const restored = join(directory.path, 'restored');
    await restoreBackup(backup, restored, await ownKey(backup));
    expect(statSync(restored).mode & 0o777).toBe(0o700);
    expect(statSync(join(restored, 'private.sqlite')).mode & 0o777).toBe(0o600);
    expect(readdirSync(restored)).not.toContain('.restoring');
    expect(readdirSync(restored).some((name) => /serve|ledger|clock|wal/.test(name))).toBe(false);
  });

  test('contains a consistent snapshot of each log while others write', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    await using log = await openLog(dataDir);
    const backup = join(directory.path, 'two.backup');
    let isDone = false;
    const appended: string[] = [];
    const writing = (async () => {
      while (!isDone) {
        const record = sampleRecord();
        await log.append(record);
        appended.push(record.result.request_id);
      }
    })();
    const acknowledged = appended.length;
    await createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: 0 });
    isDone = true;
    await writing;
    const restored = join(directory.path, 'restored');
    await restoreBackup(backup, restored, await ownKey(backup));
    await using after = await openLog(restored);
    const kept = (await Array.fromAsync(after.read('public', EVERY_CHECK))).map(({ result }) => result.request_id);
    const added = appended.filter((id) => kept.includes(id));
    expect(added).toEqual(appended.slice(0, added.length));
    expect(added.length).toBeGreaterThanOrEqual(acknowledged);
    expect(kept).toHaveLength(20 + added.length);
  });

  test('contains the files that its state names, although another change follows while it is written', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    const state = join(dataDir, 'lists/state.json');
    const change = (version: number) => {
      writeFileSync(join(dataDir, `lists/${version}.list`), 'entries');
      writeFileSync(`${state}.new`, JSON.stringify(version));
      renameSync(`${state}.new`, state);
      rmSync(join(dataDir, `lists/${version - 2}.list`), { force: true });
    };
    mkdirSync(dirname(state));
    for (const version of [1, 2]) change(version);
    writeFileSync(join(dataDir, 'large.bin'), new Uint8Array(32 * 1024 * 1024));
    await using log = await openLog(dataDir);
    const backup = join(directory.path, 'two.backup');
    const isBegun = () =>
      readdirSync(directory.path).some((name) => {
        const draft = join(directory.path, name, 'backup');
        return name.startsWith('two.backup.partial-') && existsSync(draft) && statSync(draft).size > 0;
      });
    const made = createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: 0 });
    await until(isBegun);
    change(3);
    await made;
    const restored = join(directory.path, 'restored');
    await restoreBackup(backup, restored, await ownKey(backup));
    expect(readFileSync(join(restored, 'lists/state.json'), 'utf8')).toBe('2');
    expect(readdirSync(join(restored, 'lists'))).toContain('2.list');
  });

  test('in the data directory contains neither earlier backups nor its own work', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    await using log = await openLog(dataDir);
    const key = await keyOf(dataDir);
    for (const name of ['monday.backup', 'tuesday'])
      await createBackup(join(dataDir, name), { dataDir, log, key, nowMs: 0 });
    const [first, second] = await Promise.all(
      ['monday.backup', 'tuesday'].map((name) => readBackup(join(dataDir, name))),
    );
    expect(second?.files.map(({ name }) => name)).toEqual(first?.files.map(({ name }) => name) ?? []);
    expect(first?.files.map(({ name }) => name).toSorted()).toEqual([
      ...['about.json', 'client.key', 'empty.json', 'keys.json', 'models/1-abcd/lexical.bin'],
      ...['private.sqlite', 'public.sqlite'],
    ]);
  });

  test('is refused in a folder that does not exist, and says so', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    await using log = await openLog(dataDir);
    const folder = join(directory.path, 'absent');
    expect(await refusal(createBackup(join(folder, 'x'), { dataDir, log, key: null, nowMs: 0 }))).toBe(
      `the folder of the backup does not exist: ${folder}`,
    );
  });

  test('does not overwrite a file, and is not restored over one', async () => {
    await using directory = temporaryDirectory();
    const { dataDir, backup } = await backedUp(directory.path);
    await using log = await openLog(dataDir);
    const bytes = readFileSync(backup);
    expect(await refusal(createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: 0 }))).toContain(
      'already exists',
    );
    expect(readFileSync(backup).equals(bytes)).toBe(true);
    expect(await refusal(restoreBackup(backup, dataDir, await ownKey(backup)))).toContain('is not empty');
    const other = join(directory.path, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'mine.txt'), 'mine');
    expect(await refusal(restoreBackup(backup, other, await ownKey(backup)))).toContain('is not empty');
    expect(readdirSync(other)).toEqual(['mine.txt']);
    const empty = join(directory.path, 'empty');
    mkdirSync(empty);
    await restoreBackup(backup, empty, await ownKey(backup));
    expect(existsSync(join(empty, 'public.sqlite'))).toBe(true);
  });

  test('of another host is restored only if that is confirmed', async () => {
    await using directory = temporaryDirectory();
    const { dataDir } = await backedUp(directory.path);
    await using log = await openLog(dataDir);
    const backup = join(directory.path, 'of-another.backup');
    const about = await createBackup(backup, { dataDir, log, key: await keyOf(dataDir), nowMs: 0, machine: 'box-2' });
    expect(about.machine).toBe('box-2');
    const restored = join(directory.path, 'restored');
    expect(await refusal(restoreBackup(backup, restored, await ownKey(backup)))).toContain(
      'was created on box-2, and this host is',
    );
    expect(readdirSync(restored)).toEqual([]);
    await restoreBackup(backup, restored, { ...(await ownKey(backup)), mayBeForeign: true });
    expect(readdirSync(restored)).toContain('private.sqlite');
  });

  test('is restored after a killed restoration, but not during one', async () => {
    await using directory = temporaryDirectory();
    const { backup } = await backedUp(directory.path);
    const restored = join(directory.path, 'restored');
    const stage = join(restored, '.restoring');
    mkdirSync(join(stage, 'models'), { recursive: true });
    writeFileSync(join(stage, 'public.sqlite'), 'half of it');
    {
      using _ = takeWorkFolder(stage);
      expect(await refusal(restoreBackup(backup, restored, await ownKey(backup)))).toContain(
        'Another lurecheck process uses',
      );
    }
    mkdirSync(join(stage, 'models'), { recursive: true });
    writeFileSync(join(stage, 'public.sqlite'), 'half of it');
    await restoreBackup(backup, restored, await ownKey(backup));
    expect(readdirSync(restored).toSorted()).toEqual([
      'client.key',
      'empty.json',
      'keys.json',
      'models',
      'private.sqlite',
      'public.sqlite',
    ]);
  });

  test('is refused as a whole if it is truncated or changed anywhere', async () => {
    await using directory = temporaryDirectory();
    const { backup } = await backedUp(directory.path);
    const whole = readFileSync(backup);
    const broken = join(directory.path, 'broken.backup');
    const restored = join(directory.path, 'restored');
    const expectRefused = async (what: string, bytes: Uint8Array) => {
      writeFileSync(broken, bytes);
      expect([what, await refusal(readBackup(broken))]).toEqual([
        what,
        expect.stringMatching(/is damaged: .*Use another backup\.$|is not a backup of lurecheck\.$/),
      ]);
      await refusal(restoreBackup(broken, restored, await ownKey(broken)));
      expect([what, readdirSync(restored)]).toEqual([what, []]);
    };
    // The last two blocks are empty, and say only that nothing more comes.
    for (let n = 0; n < 20; n++) {
      const end = Math.floor(((whole.length - 1536) * n) / 20);
      await expectRefused(`cut at ${end}`, whole.subarray(0, end));
    }
    for (let n = 1; n < 20; n++) {
      const at = Math.floor(((whole.length - 2048) * n) / 20);
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      // Between two files a block is filled up with what no file holds.
      if (
        await readBackup(await written(broken, changed)).then(
          () => true,
          () => false,
        )
      )
        continue;
      await expectRefused(`changed at ${at}`, changed);
    }
  });

  test.each([
    ['another file', async () => Buffer.from('hello, this is a text'), 'is not a backup of lurecheck'],
    ['an empty file', async () => Buffer.alloc(0), 'is not a backup of lurecheck'],
    ['a database', async () => Buffer.from(`SQLite format 3\0${'x'.repeat(5000)}`), 'is not a backup of lurecheck'],
    ['an archive of something else', () => archive({ 'readme.txt': 'hello' }), 'is not a backup of lurecheck'],
    [
      'one of a newer layout',
      () => archive({ 'about.json': about({ layout: 2 }) }),
      'created by lurecheck 9.0.0, which is newer than this version',
    ],
    [
      'one with newer logs',
      () => archive({ 'about.json': about({ schema: 999 }) }),
      'created by lurecheck 9.0.0, which is newer than this version',
    ],
    ['one without a list', () => archive({ 'about.json': about({}) }), 'it is cut short'],
    [
      'one that would write elsewhere',
      () => archive({ 'about.json': about({}), '../../escaped': 'x', 'manifest.json': '{"files":[]}' }),
      'is damaged',
    ],
  ])('is refused if it is %s', async (_, make, sentence) => {
    await using directory = temporaryDirectory();
    const path = await written(join(directory.path, 'some.backup'), await make());
    const restored = join(directory.path, 'a/b/restored');
    expect(await refusal(readBackup(path))).toContain(sentence);
    expect(await refusal(restoreBackup(path, restored, await ownKey(path)))).toContain(sentence);
    expect(readdirSync(restored)).toEqual([]);
    expect(existsSync(join(directory.path, 'a/escaped'))).toBe(false);
  });
});

const about = (differing: object) =>
  JSON.stringify({
    format: 'lurecheck backup',
    layout: 1,
    made_at: '2030-01-01T00:00:00.000Z',
    version: '9.0.0',
    schema: 1,
    checks: { public: 0, private: 0 },
    ...differing,
  });

async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const made = pack();
  for (const [name, text] of Object.entries(files)) made.entry({ name }, text);
  made.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of made) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function written(path: string, bytes: Uint8Array): Promise<string> {
  await Bun.write(path, bytes);
  return path;
}
