import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executable } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** nobody, to whom nothing else belongs. */
const OWNER = 65_534;

const directory = temporaryDirectory();
const dataDir = join(directory.path, 'data');
/** A folder that root alone may enter. */
const secret = join(directory.path, 'secret');
const own = (name: string) => join(secret, name);

beforeAll(() => {
  chmodSync(directory.path, 0o755);
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, OWNER, OWNER);
  mkdirSync(secret, { mode: 0o700 });
});
afterAll(() => directory[Symbol.asyncDispose]());

/** Runs a line of bash as root, with the executable as `$lurecheck` and the data directory as `$data`. */
async function asRoot(line: string): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = Bun.spawnSync(['bash', '-c', line], {
    cwd: '/root',
    env: { lurecheck: await executable(), data: dataDir, PATH: '/usr/bin:/bin', SUDO_UID: '1' },
  });
  return { exitCode: child.exitCode, stdout: String(child.stdout), stderr: String(child.stderr) };
}

/** Everything in the data directory that does not belong to its owner. */
const foreign = () => String(Bun.spawnSync(['find', dataDir, '!', '-uid', String(OWNER)]).stdout);

test.each([
  ['$lurecheck key create soc --scope check,batch --data-dir $data'],
  ['$lurecheck lists import plain SECRET/list.txt --yes --data-dir $data'],
  ['$lurecheck lists import substituted <(echo a.example) --yes --data-dir $data'],
  ['echo b.example | $lurecheck lists import piped /dev/stdin --yes --data-dir $data'],
  ['$lurecheck lists import read /dev/stdin --yes --data-dir $data < SECRET/list.txt'],
  ['echo c.example | $lurecheck lists import dash - --yes --data-dir $data'],
  ['$lurecheck brand add Nord --domain nord.example --data-dir $data'],
  ['$lurecheck check https://example.com/ --record private --network none --data-dir $data'],
  ['$lurecheck check --message SECRET/mail.txt --network none --data-dir $data'],
  ['$lurecheck model use shipped --data-dir $data'],
  ['$lurecheck backup create SECRET/all.backup --data-dir $data'],
  ['$lurecheck lists export --format plain --out SECRET/block.txt --data-dir $data'],
  ['$lurecheck log export --private --format csv --out SECRET/private.csv --data-dir $data'],
  ['$lurecheck doctor --bundle SECRET/bundle.json --network none --data-dir $data'],
])('a command of root leaves every file of the data directory with its owner: %s', async (line) => {
  writeFileSync(own('list.txt'), 'evil.example\n', { mode: 0o600 });
  writeFileSync(own('mail.txt'), 'See https://evil.example/\n', { mode: 0o600 });
  const { exitCode, stderr } = await asRoot(line.replaceAll('SECRET', secret));
  expect([stderr, exitCode]).toEqual([expect.any(String), 0]);
  expect(foreign()).toBe('');
});

test('files that root requested are complete, belong to root, and replace existing ones only where allowed', async () => {
  expect(readFileSync(own('block.txt'), 'utf8')).toContain('evil.example\n');
  for (const [name, mode] of [
    ['all.backup', 0o600],
    ['private.csv', 0o600],
    ['bundle.json', 0o600],
  ] as const) {
    const { uid, mode: found, size } = statSync(own(name));
    expect([name, uid, found & 0o777, size > 0]).toEqual([name, 0, mode, true]);
  }
  const again = await asRoot(`$lurecheck lists export --format plain --out ${own('block.txt')} --data-dir $data`);
  expect(again.exitCode).toBe(0);
  const backup = await asRoot(`$lurecheck backup create ${own('all.backup')} --data-dir $data`);
  expect(backup.exitCode).toBe(1);
  expect((await asRoot(`$lurecheck backup verify ${own('all.backup')}`)).exitCode).toBe(0);
  expect(
    String(Bun.spawnSync(['ls', '-A', secret]).stdout)
      .trim()
      .split('\n'),
  ).toEqual(['all.backup', 'block.txt', 'bundle.json', 'list.txt', 'mail.txt', 'private.csv'].toSorted());
});

test('a backup that only root can read is restored for the owner of the folder', async () => {
  const next = join(directory.path, 'next');
  mkdirSync(next, { mode: 0o700 });
  chownSync(next, OWNER, OWNER);
  const { exitCode } = await asRoot(`$lurecheck backup restore ${own('all.backup')} --foreign --data-dir ${next}`);
  expect(exitCode).toBe(0);
  expect(String(Bun.spawnSync(['find', next, '!', '-uid', String(OWNER)]).stdout)).toBe('');
});

test('a command that becomes the owner retains no privilege of root', async () => {
  const args = ['lists', 'import', 'slow', '-', '--yes', '--data-dir', dataDir];
  const child = Bun.spawn([await executable(), ...args], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    env: {},
  });
  const rights = () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Object.fromEntries(
      [...status.matchAll(/^(Uid|Gid|Groups|CapEff):[ \t]*(.*?)[ \t]*$/gm)].map(([, k, v]) => [k, v]),
    );
  };
  await untilSeen('the owner', () => rights()['Uid'] !== '0\t0\t0\t0');
  const four = Array(4).fill(OWNER).join('\t');
  expect(rights()).toEqual({ Uid: four, Gid: four, Groups: '', CapEff: '0000000000000000' });
  await child.stdin.write('slow.example\n');
  await child.stdin.end();
  expect(await child.exited).toBe(0);
});
