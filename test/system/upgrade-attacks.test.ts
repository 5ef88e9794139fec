import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { type MadeReleases, makeReleases } from './two-releases.ts';
import { type Box, makeBox } from './upgrade-box.ts';

const [OLD, NEXT] = ['1.0.0', '1.0.1'];

const folder = temporaryDirectory();
let releases: MadeReleases;

beforeAll(async () => {
  releases = await makeReleases(folder.path);
});

afterAll(() => folder[Symbol.asyncDispose]());

/** A box that nobody serves from, with a check in its log, and a stick with the next release. */
async function attackedBox(path: string, version = OLD) {
  const box = await makeBox(join(path, 'box'), releases.program(version));
  await box.run('check', '--record', 'public', '--network', 'none', '--data-dir', box.dataDir, 'https://one.example/');
  const stick = join(path, 'stick');
  cpSync(dirname(releases.archive(NEXT)), stick, { recursive: true });
  const file = join(stick, basename(releases.archive(NEXT)));
  const where = ['--data-dir', box.dataDir, '--listen', '127.0.0.1:9'];
  return { box, stick, file, where, upgrade: () => box.run('upgrade', file, ...where) };
}

const versionOf = async (box: Box) => (await box.run('version')).said;
const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Begins an upgrade and holds it once something lies in the box, so that what an attacker does meets it there. */
async function heldWhen({ box, file, where }: Awaited<ReturnType<typeof attackedBox>>, isIt: () => boolean) {
  const child = box.spawn('upgrade', file, ...where);
  await untilSeen('the moment of the attack', () => isIt() || child.exitCode !== null);
  child.kill('SIGSTOP');
  return async () => {
    child.kill('SIGCONT');
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { exitCode: await child.exited, said: `${stdout}${stderr}` };
  };
}

test('a file that is replaced on the removable media after it was copied does not change what is installed', async () => {
  await using directory = temporaryDirectory();
  const attacked = await attackedBox(directory.path);
  await using box = attacked.box;
  const goOn = await heldWhen(attacked, () => existsSync(`${box.program}.upgrade/program`));
  for (const name of readdirSync(attacked.stick)) writeFileSync(join(attacked.stick, name), '#!/bin/sh\necho owned\n');
  expect((await goOn()).exitCode).toBe(0);
  expect(digestOf(box.program)).toBe(digestOf(releases.program(NEXT)));
  expect(await versionOf(box)).toBe(`lurecheck ${NEXT}\n`);
});

test('symbolic links at the paths that an upgrade writes are not followed', async () => {
  await using directory = temporaryDirectory();
  const { box: made, upgrade } = await attackedBox(directory.path);
  await using box = made;
  const victim = join(directory.path, 'victim');
  writeFileSync(victim, 'not yours');
  mkdirSync(`${box.program}.upgrade`, { mode: 0o700 });
  const written = ['.new', '.previous', '.previous.new', '.upgrade/released', '.upgrade/program'];
  for (const name of [...written, '.upgrade/journal.json.new']) symlinkSync(victim, `${box.program}${name}`);
  expect((await upgrade()).exitCode).toBe(0);
  expect(readFileSync(victim, 'utf8')).toBe('not yours');
  expect([await versionOf(box), lstatSync(box.program).isFile()]).toEqual([`lurecheck ${NEXT}\n`, true]);
  expect(lstatSync(`${box.program}.previous`).isFile()).toBe(true);
});

test.each([
  ['leads elsewhere', (path: string, elsewhere: string) => symlinkSync(elsewhere, path)],
  [
    'is writable by others',
    (path: string) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
  ],
])('a working folder that %s is refused, and nothing is changed', async (_, plant) => {
  await using directory = temporaryDirectory();
  const { box: made, upgrade } = await attackedBox(directory.path);
  await using box = made;
  const elsewhere = join(directory.path, 'elsewhere');
  mkdirSync(elsewhere);
  plant(`${box.program}.upgrade`, elsewhere);
  const { exitCode, said } = await upgrade();
  expect([exitCode, said]).toEqual([1, expect.stringMatching(/is a link, .* remove it\. Nothing was changed\.\n$/)]);
  expect([await versionOf(box), readdirSync(elsewhere)]).toEqual([`lurecheck ${OLD}\n`, []]);
});

test('a folder at the path of the previous executable is an error, and nothing is changed', async () => {
  await using directory = temporaryDirectory();
  const { box: made, upgrade } = await attackedBox(directory.path);
  await using box = made;
  mkdirSync(`${box.program}.previous/full`, { recursive: true });
  expect((await upgrade()).exitCode).toBe(1);
  expect(await versionOf(box)).toBe(`lurecheck ${OLD}\n`);
});

test('an older release is refused without --older', async () => {
  await using directory = temporaryDirectory();
  const { box: made, where } = await attackedBox(directory.path, NEXT);
  await using box = made;
  const refused = await box.run('upgrade', releases.archive(OLD), ...where);
  expect([refused.exitCode, refused.said]).toEqual([1, expect.stringContaining(`is ${OLD}, which is older than this`)]);
  expect((await box.run('upgrade', releases.archive(OLD), '--older', ...where)).exitCode).toBe(0);
  expect(await versionOf(box)).toBe(`lurecheck ${OLD}\n`);
});

/** What somebody can write beside a file who has no key of a release. */
const FORGERIES: Readonly<Record<string, (sums: string) => readonly [sums: string, signature: Buffer | null]>> = {
  'signed by another key': (sums) => [sums, sign(null, Buffer.from(sums), generateKeyPairSync('ed25519').privateKey)],
  'with a line more under the old signature': (sums) => [`${sums}${'0'.repeat(64)}  lurecheck-evil\n`, null],
  'with an empty signature': (sums) => [sums, Buffer.alloc(0)],
};

test.each(Object.entries(FORGERIES))('a list of digests %s is refused', async (_, forge) => {
  await using directory = temporaryDirectory();
  const { box: made, stick, upgrade } = await attackedBox(directory.path);
  await using box = made;
  const [sums, signature] = forge(readFileSync(join(stick, 'SHA256SUMS'), 'utf8'));
  writeFileSync(join(stick, 'SHA256SUMS'), sums);
  if (signature !== null) writeFileSync(join(stick, 'SHA256SUMS.sig'), signature);
  const { exitCode, said } = await upgrade();
  expect([exitCode, said]).toEqual([
    1,
    expect.stringContaining('is NOT trustworthy: the SHA256SUMS beside it is not signed'),
  ]);
  expect(await versionOf(box)).toBe(`lurecheck ${OLD}\n`);
});
