import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { bootAndLook } from './booted-system.ts';
import { type MadeReleases, makeReleases } from './two-releases.ts';
import { type Box, load, makeBox } from './upgrade-box.ts';

/** The version of a box, the next one, which migrates its files, and one that does so and then ends. */
const [OLD, NEXT, BROKEN] = ['1.0.0', '1.1.0', '1.2.0'];

const folder = temporaryDirectory();
let releases: MadeReleases;

beforeAll(async () => {
  // Others than root must be able to read what is released.
  chmodSync(folder.path, 0o755);
  releases = await makeReleases(folder.path);
});

afterAll(() => folder[Symbol.asyncDispose]());

/** What going back told of the public log: where the newer file is, and how many checks came out of that. */
function toldOfPublic(said: string): { aside: string; carried: number } {
  const [, aside = '', carried] =
    /public log .* the newer file is (\S+): all checks are in the restored log, (\d+) of/.exec(said) ?? [];
  return { aside, carried: Number(carried) };
}

const backupsIn = (box: Box) => readdirSync(box.path).filter((name) => name.endsWith('.backup'));

test('an upgrade under load and its rollback lose no record, including those of the newer version', async () => {
  await using directory = temporaryDirectory();
  await using box = await makeBox(directory.path, releases.program(OLD));
  await box.start();
  const busy = load(box);
  await untilSeen('checks', async () => (await box.checked()).length > 20);
  const upgraded = await box.upgrade(releases.archive(NEXT));
  const answered = await busy.end();
  expect(upgraded).toEqual({ exitCode: 0, said: expect.stringContaining(`ready: the service, ${NEXT}`) });
  expect([await box.version(), await box.checked()]).toEqual([NEXT, answered.toSorted()]);
  expect((await box.run('upgrade', '--status')).said).toContain(`${OLD} to ${NEXT}`);

  const [backup = ''] = backupsIn(box);
  const restored = join(box.path, 'restored');
  const older = Bun.spawnSync([
    releases.program(OLD),
    'backup',
    'restore',
    join(box.path, backup),
    '--foreign',
    '--data-dir',
    restored,
  ]);
  expect([older.exitCode, readdirSync(restored)]).toEqual([0, expect.arrayContaining(['public.sqlite'])]);
  const refused = Bun.spawnSync([releases.program(OLD), 'log', '--data-dir', box.dataDir]);
  expect([refused.exitCode, refused.stderr.toString()]).toEqual([1, expect.stringContaining('Nothing was changed.')]);

  const since = 'checked-by-the-newer-one';
  expect(await box.check(since)).toBe(200);
  const before = statSync(join(box.dataDir, 'public.sqlite')).ino;
  const back = await box.upgrade('--back');
  expect(back.exitCode).toBe(0);
  const kept = await box.checked();
  expect(await box.version()).toBe(OLD);
  expect(kept).toEqual([...answered, since].toSorted());
  const { aside, carried } = toldOfPublic(back.said);
  expect(carried).toBeGreaterThan(0);
  expect(statSync(aside).ino).toBe(before);
  expect(back.said).toContain('the private log to its state before the newer version migrated it');
  expect((await box.upgrade('--back')).said).toContain('already rolled back');
});

test('a version that does not become ready is rolled back automatically, with every record', async () => {
  await using directory = temporaryDirectory();
  await using box = await makeBox(directory.path, releases.program(OLD));
  await box.start();
  const busy = load(box);
  await untilSeen('checks', async () => (await box.checked()).length > 20);
  const failed = await box.upgrade(releases.archive(BROKEN));
  expect(await box.check('afterwards')).toBe(200);
  const answered = [...(await busy.end()), 'afterwards'];
  expect(failed).toEqual({ exitCode: 1, said: expect.stringContaining(`${BROKEN} did not become ready`) });
  expect(failed.said).toContain('the public log to its state before the newer version migrated it');
  expect([await box.version(), await box.checked()]).toEqual([OLD, answered.toSorted()]);
  expect(readFileSync(join(box.path, 'log'), 'utf8')).not.toContain('log.incomplete');
  const status = await box.run('upgrade', '--status');
  expect([status.exitCode, status.said]).toEqual([0, expect.stringContaining('rolled back')]);
  // And the way is free for the next one.
  expect((await box.upgrade(releases.archive(NEXT))).exitCode).toBe(0);
  expect(await box.checked()).toEqual(answered.toSorted());
  // Another one that fails leaves the way back that was there before.
  expect((await box.upgrade(releases.archive(BROKEN))).exitCode).toBe(1);
  expect(await box.version()).toBe(NEXT);
  expect((await box.upgrade('--back')).exitCode).toBe(0);
  expect([await box.version(), await box.checked()]).toEqual([OLD, answered.toSorted()]);
});

test('a service that this process cannot restart is left to the operator, for upgrade and rollback', async () => {
  await using directory = temporaryDirectory();
  await using box = await makeBox(directory.path, releases.program(OLD));
  await box.start();
  await box.check('one');
  const upgrade = (...args: string[]) =>
    box.run('upgrade', ...args, '--data-dir', box.dataDir, '--listen', new URL(box.url).host, '--wait', '2');
  const replaced = await upgrade(releases.archive(NEXT));
  expect(replaced).toEqual({
    exitCode: 0,
    said: expect.stringContaining('the service must be restarted by hand'),
  });
  expect(await box.version()).toBe(OLD);
  expect(await box.run('upgrade', '--status')).toEqual({
    exitCode: 1,
    said: expect.stringContaining('waiting for a restart of the service'),
  });
  expect((await upgrade(releases.archive(BROKEN))).said).toContain(`the upgrade to ${NEXT} is not complete`);
  expect(await upgrade()).toEqual({ exitCode: 1, said: expect.stringContaining(`${NEXT} is not ready`) });
  box.stop();
  await box.start();
  expect(await upgrade()).toEqual({ exitCode: 0, said: `ready: ${NEXT}\n` });
  expect([await box.version(), await box.check('two')]).toEqual([NEXT, 200]);

  expect(await upgrade('--back')).toEqual({ exitCode: 1, said: expect.stringContaining('Stop it first') });
  expect((await box.run('upgrade', '--status')).said).toContain('rollback interrupted');
  box.stop();
  expect(await upgrade()).toEqual({
    exitCode: 0,
    said: expect.stringContaining('all checks are in the restored log, 1 of them'),
  });
  await box.start();
  expect([await box.version(), await box.checked()]).toEqual([OLD, ['one', 'two']]);
});

/** Where an upgrade may be killed, by what lies there then. */
const MOMENTS: Readonly<Record<string, (box: Box) => boolean>> = {
  'while it copies': ({ program }) => existsSync(`${program}.upgrade/released`),
  'while it tries the new one': ({ program }) => existsSync(`${program}.upgrade/program`),
  'while it backs up': ({ path }) => readdirSync(path).some((name) => name.includes('.backup')),
  'once it has begun to replace': ({ program }) => existsSync(`${program}.upgrade/journal.json`),
  'once it goes back': ({ program }) =>
    existsSync(`${program}.upgrade/journal.json`) &&
    readFileSync(`${program}.upgrade/journal.json`, 'utf8').includes('returning'),
};

test.each(Object.entries(MOMENTS))(
  'an upgrade that is killed %s leaves a working installation, and can be completed',
  async (_, isIt) => {
    await using directory = temporaryDirectory();
    await using box = await makeBox(directory.path, releases.program(OLD));
    await box.start();
    for (const name of ['one', 'two']) await box.check(name);
    const script = (name: string) => [`--${name}`, `sh ${box.path}/${name}.sh`];
    const where = ['--data-dir', box.dataDir, '--listen', new URL(box.url).host];
    const file = releases.archive(BROKEN);
    const killed = box.spawn('upgrade', file, ...where, ...script('stop'), ...script('start'), '--wait', '2');
    while (!isIt(box) && killed.exitCode === null) await Bun.sleep(1);
    killed.kill('SIGKILL');
    await killed.exited;

    const status = await box.run('upgrade', '--status');
    const hasBegun = status.said.includes('begun on');
    expect((await box.run('version')).exitCode).toBe(0);
    const again = await box.upgrade();
    expect([hasBegun, again.exitCode]).toEqual([hasBegun, hasBegun ? expect.any(Number) : 2]);
    if (!existsSync(join(box.path, 'pid'))) await box.start();
    expect([await box.version(), await box.checked()]).toEqual([OLD, ['one', 'two']]);
    // Nothing of it is in the way.
    expect((await box.upgrade(releases.archive(NEXT))).exitCode).toBe(0);
    expect(await box.checked()).toEqual(['one', 'two']);
    expect(readdirSync(`${box.program}.upgrade`).toSorted()).toEqual(['journal.json', 'lock']);
  },
);

/** A box that nobody serves from, with a check in its log, and how an upgrade is run there. */
async function quietBox(path: string) {
  const box = await makeBox(path, releases.program(OLD));
  await box.run('check', '--record', 'public', '--network', 'none', '--data-dir', box.dataDir, 'https://one.example/');
  return box;
}

/** A release that is signed, and is not what the box needs; by a file name of its own. */
const foreign: Readonly<Record<string, () => string>> = {
  'for another processor': () => {
    const bytes = readFileSync(releases.program(NEXT));
    bytes.writeUInt16LE(process.arch === 'arm64' ? 62 : 183, 18);
    return releases.release('lurecheck-of-another', bytes);
  },
  'that does not start': () =>
    releases.release('lurecheck-cut', readFileSync(releases.program(NEXT)).subarray(0, 9000)),
  "of Debian's": () => releases.release('lurecheck_1.1.0_amd64.deb', Buffer.from('!<arch>\ndebian-binary')),
  'without an executable': () => releases.release('CHANGELOG.md', Buffer.from('# Changelog')),
  'that was changed': () => {
    const path = releases.release('lurecheck-changed.tar.gz', readFileSync(releases.archive(NEXT)));
    const bytes = readFileSync(path);
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    return path;
  },
  'that was cut short': () => {
    const path = releases.release('lurecheck-short.tar.gz', readFileSync(releases.archive(NEXT)));
    truncateSync(path, 1_000_000);
    return path;
  },
  'of this very version': () => releases.archive(OLD),
};

test.each([
  ['for another processor', /is for linux-(arm64|x64), and this host is linux-/],
  ['that does not start', /the new executable does not work on this host: version/],
  ["of Debian's", /is a Debian package: install it with dpkg -i/],
  ['without an executable', /has no executable/],
  ['that was changed', /is NOT trustworthy: it differs/],
  ['that was cut short', /is NOT trustworthy: it differs/],
  ['of this very version', /is this version, 1\.0\.0: pass --older/],
])('a file %s is refused, and nothing is changed', async (what, sentence) => {
  await using directory = temporaryDirectory();
  await using box = await quietBox(directory.path);
  const before = statSync(box.program);
  const refused = await box.run('upgrade', foreign[what]?.() ?? '', '--data-dir', box.dataDir);
  expect([refused.exitCode, refused.said]).toEqual([1, expect.stringMatching(sentence)]);
  expect(refused.said).toEndWith('Nothing was changed.\n');
  expect([statSync(box.program).ino, backupsIn(box)]).toEqual([before.ino, []]);
  expect(existsSync(`${box.program}.previous`)).toBe(false);
  expect(readdirSync(`${box.program}.upgrade`)).toEqual(['lock']);
});

/** What a place may be like, by shell commands in a mount namespace: $1 is the folder of the box, the rest the upgrade. */
test.each([
  ['that is full', 'cp -a $1 /mnt; mount -t tmpfs -o size=290m none $1; cp -a /mnt/*/. $1', 'the disk is full'],
  [
    'that a package manager keeps',
    'mount -t tmpfs none /var/lib/dpkg/info; echo $1/lurecheck > /var/lib/dpkg/info/lurecheck.list',
    'belongs to the Debian package',
  ],
  ['that cannot be written', 'mount --bind $1 $1; mount -o remount,ro,bind $1', 'the file system is read-only'],
  [
    'that is not for this user',
    'chmod 755 $1; set -- "$@"; as="setpriv --reuid=65534 --regid=65534 --clear-groups"',
    'permission denied',
  ],
])('in a folder %s the upgrade is refused, and nothing is changed', async (_, lay, sentence) => {
  await using directory = temporaryDirectory();
  await using box = await quietBox(directory.path);
  const script = `set -e; mount -t tmpfs none /mnt; ${lay}; folder=$1; shift; set +e; $as "$@"; code=$?; ls $folder; exit $code`;
  const command = [box.program, 'upgrade', releases.archive(NEXT), '--data-dir', box.dataDir];
  const refused = Bun.spawnSync(['unshare', '--mount', 'sh', '-c', script, 'sh', box.path, ...command]);
  expect([refused.exitCode, refused.stderr.toString()]).toEqual([1, expect.stringContaining(sentence)]);
  const names = refused.stdout.toString().split('\n');
  expect(names.filter((name) => /previous|backup/.test(name))).toEqual([]);
  expect((await box.run('version')).said).toBe(`lurecheck ${OLD}\n`);
});

test('concurrent upgrades are refused, and an upgrade through a link replaces its target', async () => {
  await using directory = temporaryDirectory();
  await using box = await quietBox(directory.path);
  const link = join(box.path, 'link');
  symlinkSync(box.program, link);
  mkdirSync(`${box.program}.upgrade`);
  const other = new Database(`${box.program}.upgrade/lock`);
  other.run('begin exclusive');
  const met = await box.run('upgrade', releases.archive(NEXT), '--data-dir', box.dataDir);
  expect([met.exitCode, met.said]).toEqual([1, expect.stringContaining('another upgrade is running')]);
  other.close();
  const child = Bun.spawnSync([
    link,
    'upgrade',
    releases.archive(NEXT),
    '--data-dir',
    box.dataDir,
    '--listen',
    '127.0.0.1:9',
  ]);
  expect([child.exitCode, child.stderr.toString()]).toEqual([0, expect.stringContaining('no service answers')]);
  expect([readlinkSync(link), (await box.run('version')).said]).toEqual([box.program, `lurecheck ${NEXT}\n`]);
  expect(Bun.spawnSync([`${box.program}.previous`, 'version']).stdout.toString()).toBe(`lurecheck ${OLD}\n`);
});

/** What an operator does, as root, on a machine that systemd has booted. */
const DAY = `
  exec 2>&1
  lurecheck=/srv/lurecheck
  check() {
    curl -s -o /dev/null -w '%{http_code}\\n' -H 'content-type: application/json' \
      -d "{\\"url\\": \\"https://$1.example/\\"}" http://127.0.0.1:8080/api/check-url
  }
  state() {
    curl -s http://127.0.0.1:8080/api/about | grep -oE '"version":"[0-9.]+"' | head -1
    curl -s http://127.0.0.1:8080/api/history | grep -oE 'https://[a-z]+' | sort | tr '\\n' ' '; echo
    systemctl is-active lurecheck
  }
  $lurecheck service install --quiet >/dev/null
  until $lurecheck healthcheck >/dev/null; do sleep 0.2; done
  check one
  setpriv --reuid=65534 --regid=65534 --clear-groups $lurecheck upgrade /stick/next/*.gz; echo $?
  $lurecheck upgrade /stick/next/*.gz | tail -2; state
  find /var/lib/lurecheck -printf '%u\\n' | sort -u
  check two
  $lurecheck upgrade /stick/broken/*.gz | tail -4; state
  $lurecheck upgrade --status | grep -o 'rolled back'
  check three
  stat -c '%U %a' /var/lib/lurecheck-*.backup | sort -u
  find /var/lib/lurecheck -printf '%u\\n' | sort -u
`;

test('under systemd the service is restarted with the new version, and with the old one if the new one exits', async () => {
  await using directory = temporaryDirectory();
  const root = directory.path;
  const onStick = { 'stick/next': dirname(releases.archive(NEXT)), 'stick/broken': dirname(releases.archive(BROKEN)) };
  for (const [path, from] of Object.entries(onStick)) cpSync(from, join(root, path), { recursive: true });
  mkdirSync(join(root, 'srv'));
  cpSync(releases.program(OLD), join(root, 'srv/lurecheck'));
  const looked = await bootAndLook(root, {}, DAY);
  const used =
    'lurecheck: using the installation configured in /etc/lurecheck/lurecheck.toml, data in /var/lib/lurecheck';
  expect(looked).toContain(used);
  // How often depends on how often the service is asked until it is ready.
  expect(looked.filter((line) => line !== used)).toEqual([
    '200',
    'lurecheck: Nothing can be written to /srv: permission denied.',
    '1',
    `installed ${NEXT} as /srv/lurecheck; ${OLD} is stored as lurecheck.previous`,
    `ready: lurecheck.service, ${NEXT}`,
    `"version":"${NEXT}"`,
    'https://one ',
    'active',
    'lurecheck',
    '200',
    `lurecheck: ${BROKEN} did not become ready: lurecheck.service keeps exiting; it was restarted 3 times`,
    'the new executable starts on this host, passes its self-test, and reads the data',
    `installed ${BROKEN} as /srv/lurecheck; ${NEXT} is stored as lurecheck.previous`,
    `restored ${NEXT} as /srv/lurecheck`,
    `ready: lurecheck.service, ${NEXT}`,
    `"version":"${NEXT}"`,
    'https://one https://two ',
    'active',
    'rolled back',
    '200',
    'root 600',
    'lurecheck',
    '',
  ]);
});
