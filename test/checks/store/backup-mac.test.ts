import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract, pack } from 'tar-stream';
import { backupKeyToMake, backupKeyToVerify, backupOriginOf } from '#src/parts/backup/archive/backup-mac.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { readBackup } from '#src/parts/backup/archive/read-backup.ts';
import { restoreBackup } from '#src/parts/backup/archive/restore-backup.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { refusal } from './backup-refusal.ts';
import { openLog } from './open-log.ts';

const settingsOf = (dataDir: string, file: string | null = null) => ({ data_dir: dataDir, backup_key_file: file });

/** A backup of a data directory with one check and no keys. */
async function backedUp(folder: string) {
  const dataDir = join(folder, 'data');
  const backup = join(folder, 'one.backup');
  await using log = await openLog(dataDir);
  await log.append(sampleRecord());
  writeFileSync(join(dataDir, 'keys.json'), '{"version":1,"keys":[]}\n');
  const key = await backupKeyToMake(settingsOf(dataDir));
  if (key === null) throw new Error('no key was made');
  await createBackup(backup, { dataDir, log, key, nowMs: 0 });
  return { dataDir, backup, key, restored: join(folder, 'restored') };
}

interface Manifest {
  files: { name: string; bytes: number; sha256: string }[];
  mac?: { key: string; hmac_sha256: string };
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What somebody can do who may write where backups lie: put anything into one, and make its manifest fit. */
async function forge(path: string, planted: Readonly<Record<string, string>>, mac: (manifest: Manifest) => void) {
  const files = new Map<string, Buffer>();
  const archive = extract();
  archive.end(readFileSync(path));
  for await (const entry of archive) files.set(entry.header.name, await bytesOf(entry));
  const manifest: Manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '');
  files.delete('manifest.json');
  for (const [name, text] of Object.entries(planted)) files.set(name, Buffer.from(text));
  manifest.files = [...files].map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  mac(manifest);
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  const made = pack();
  for (const [name, bytes] of files) made.entry({ name }, bytes);
  made.finalize();
  writeFileSync(path, await bytesOf(made));
}

const PLANTED = { 'keys.json': '{"version":1,"keys":[{"name":"planted"}]}\n' };

test('a backup contains a MAC whose key it does not contain, and restoring verifies it', async () => {
  await using directory = temporaryDirectory();
  const { backup, key, restored } = await backedUp(directory.path);
  const read = await readBackup(backup);
  expect(read.mac).toEqual({ key: key.id, hmac_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(read.files.map(({ name }) => name)).not.toContain('backup.key');
  expect(backupOriginOf(backup, read, key)).toBe('own');
  const describe = () => Promise.reject(new Error('of our own nothing is listed'));
  expect(await restoreBackup(backup, restored, { key, describe })).toMatchObject({ origin: 'own', trustedContent: [] });
});

test.each([
  ['keeps its MAC', {}, () => {}],
  ['with a file more', { 'packs/in-force.json': '{}' }, () => {}],
] as const)(
  'a backup that is changed without the key is refused, even if a foreign one is accepted: %s',
  async (_, more, mac) => {
    await using directory = temporaryDirectory();
    const { backup, key, restored } = await backedUp(directory.path);
    await forge(backup, { ...PLANTED, ...more }, mac);
    const sentence = 'was changed after it was created: its MAC does not match';
    expect(await refusal(restoreBackup(backup, restored, { key }))).toContain(sentence);
    expect(await refusal(restoreBackup(backup, restored, { key, mayBeForeign: true }))).toContain(sentence);
    expect(readdirSync(restored)).toEqual([]);
  },
);

test.each([
  [
    'without its MAC',
    'has no MAC',
    (manifest: Manifest): void => {
      delete manifest.mac;
    },
  ],
  [
    'with a MAC by their own key',
    'is from another installation',
    (manifest: Manifest) => {
      if (manifest.mac) manifest.mac.key = '0123456789abcdef';
    },
  ],
] as const)('a changed backup %s is refused with a list of what it would restore', async (_, why, mac) => {
  await using directory = temporaryDirectory();
  const { backup, key, restored } = await backedUp(directory.path);
  await forge(backup, PLANTED, mac);
  const describe = async (folder: string): Promise<string[]> => {
    const [name = ''] = /planted/.exec(readFileSync(join(folder, 'keys.json'), 'utf8')) ?? [];
    return [`keys: ${name}\u001b[2J`];
  };
  const said = await refusal(restoreBackup(backup, restored, { key, describe }));
  expect(said).toContain(why);
  expect(said).toContain('It would restore:\n  keys: planted');
  expect(said).toContain('pass --foreign');
  expect(said).not.toContain('\u001b');
  expect(readdirSync(restored)).toEqual([]);
  const { trustedContent, origin } = await restoreBackup(backup, restored, { key, describe, mayBeForeign: true });
  expect(trustedContent).toEqual([expect.stringContaining('planted')]);
  expect(origin).not.toBe('own');
  expect(readdirSync(restored)).toContain('keys.json');
});

test('without the key of the installation, the origin is unverified, and only the key may exist in the target', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, backup, restored } = await backedUp(directory.path);
  const key = await backupKeyToVerify(settingsOf(restored));
  expect(key).toBeNull();
  expect(await refusal(restoreBackup(backup, restored, { key }))).toContain('the key of this one is missing');
  await Bun.write(join(restored, 'backup.key'), Bun.file(join(dataDir, 'backup.key')));
  const found = await backupKeyToVerify(settingsOf(restored));
  expect(await restoreBackup(backup, restored, { key: found })).toMatchObject({ origin: 'own' });
});

test('a configured key replaces the one in the data directory', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'named.key');
  writeFileSync(file, Buffer.alloc(32, 7));
  const dataDir = join(directory.path, 'data');
  const [made, verifying] = [
    await backupKeyToMake(settingsOf(dataDir, file)),
    await backupKeyToVerify(settingsOf(join(directory.path, 'other'), file)),
  ];
  expect(made?.id).toBe(verifying?.id ?? '');
  writeFileSync(file, 'short');
  expect(await backupKeyToMake(settingsOf(dataDir, file)).catch(String)).toContain('backup_key_file is');
});

test('a backup that contains a backup key is refused', async () => {
  await using directory = temporaryDirectory();
  const { backup, key, restored } = await backedUp(directory.path);
  await forge(backup, { 'backup.key': 'x'.repeat(32) }, (manifest) => {
    delete manifest.mac;
  });
  expect(await refusal(restoreBackup(backup, restored, { key, mayBeForeign: true }))).toContain('is damaged');
});

test('creates a backup without a MAC if no key can be created', async () => {
  await using directory = temporaryDirectory();
  const { dataDir, restored } = await backedUp(directory.path);
  // Nothing can be written below a file, as on a full disk or one that may only be read.
  expect(await backupKeyToMake(settingsOf(join(dataDir, 'keys.json')))).toBeNull();
  await using log = await openLog(dataDir);
  const backup = join(directory.path, 'two.backup');
  await createBackup(backup, { dataDir, log, key: null, nowMs: 0 });
  expect((await readBackup(backup)).mac).toBeNull();
  expect(await refusal(restoreBackup(backup, restored, { key: null }))).toContain('has no MAC');
});
