import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runInNamespace } from './namespace.ts';

const TARGET = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const NAME = `lurecheck-${manifest.version}`;
const [ARCHIVE, PACKAGE, IMAGE] = [
  `${NAME}-${TARGET}.tar.gz`,
  `lurecheck_${manifest.version}_${ARCHITECTURE}.deb`,
  `${NAME}-image-${ARCHITECTURE}.tar`,
];
const UNPRIVILEGED = 65532;

const folder = temporaryDirectory();
const inside = (...parts: string[]) => join(folder.path, ...parts);

/** Runs a command to its end; what it printed. */
async function run(command: readonly string[], { cwd = '.', env = {} } = {}): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdout: 'pipe', stderr: 'pipe', env: { ...process.env, ...env } });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Lays this source into a folder of its own, with all that it is made with. */
async function copySource(to: string): Promise<void> {
  for (const path of (await run(['git', 'ls-files', '-z'])).split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(path, join(to, path));
  }
  await run([process.execPath, 'install', '--frozen-lockfile'], { cwd: to });
}

const bun = (cwd: string, args: readonly string[], env = {}) =>
  run([process.execPath, '.ci/release.ts', ...args], { cwd, env });

/** Two people make the release of one source, in folders, hours and with rights of their own. */
beforeAll(async () => {
  await copySource(inside('one'));
  await bun(inside('one'), ['--new-key', inside('key.pem')]);
  await copySource(inside('two'));
  cpSync(inside('one/.ci/release-keys.pem'), inside('two/.ci/release-keys.pem'));
  chmodSync(inside('two/CHANGELOG.md'), 0o600);
  const args = ['--key', inside('key.pem'), '--target', TARGET];
  const day = { SOURCE_DATE_EPOCH: '1769860800' };
  await bun(inside('one'), [...args, '--out', inside('released')], { ...day, TZ: 'Asia/Tokyo' });
  await bun(inside('two'), [...args, '--out', inside('again')], { ...day, TZ: 'America/Lima', LANG: 'C' });
}, 600_000);

afterAll(() => folder[Symbol.asyncDispose]());

/** The root filesystems on which people put it, each with the C library of Debian and nothing else below it. */
const ROOTS: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  archive: async (root) => {
    await run(['tar', '-xzf', inside('released', ARCHIVE), '-C', root]);
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    cpSync(join(root, `${NAME}-${TARGET}`, 'lurecheck'), join(root, 'usr/bin/lurecheck'));
  },
  package: (root) => run(['dpkg-deb', '--extract', inside('released', PACKAGE), root]),
  image: (root) => unpackLayer(root, 1),
};

async function unpackLayer(root: string, index: number): Promise<void> {
  const image = inside('image');
  mkdirSync(image, { recursive: true });
  await run(['tar', '-xf', inside('released', IMAGE), '-C', image]);
  const [{ Layers }] = JSON.parse(readFileSync(join(image, 'manifest.json'), 'utf8'));
  await run(['tar', '-xzpf', join(image, Layers[index]), '-C', root]);
}

/** A root filesystem with the C library, what `fill` puts there, and the released files to verify, one of them changed. */
async function makeRoot(name: string, fill: (root: string) => Promise<unknown>): Promise<string> {
  const root = inside(`root-${name}`);
  for (const path of ['proc', 'released', 'var/lib/lurecheck']) mkdirSync(join(root, path), { recursive: true });
  await unpackLayer(root, 0);
  await fill(root);
  chownSync(join(root, 'var/lib/lurecheck'), UNPRIVILEGED, UNPRIVILEGED);
  for (const file of ['SHA256SUMS', 'SHA256SUMS.sig', PACKAGE])
    cpSync(inside('released', file), join(root, 'released', file));
  writeFileSync(join(root, 'released', ARCHIVE), 'not what was released');
  return root;
}

test('the same source makes the same bytes, whoever makes the release', () => {
  const [one, two] = ['released', 'again'].map((name) => readFileSync(inside(name, 'SHA256SUMS'), 'utf8'));
  expect(one).toBe(two ?? '');
  for (const file of [ARCHIVE, PACKAGE, IMAGE, `${NAME}.cdx.json`, 'CHANGELOG.md'])
    expect(one).toContain(`  ${file}\n`);
  const signatures = ['released', 'again'].map((name) => readFileSync(inside(name, 'SHA256SUMS.sig'), 'hex'));
  expect(signatures[0]).toBe(signatures[1] ?? '');
});

test('OpenSSL and sha256sum say of a release what lurecheck says', async () => {
  const cwd = inside('released');
  const key = ['-pubin', '-inkey', inside('one/.ci/release-keys.pem')];
  const verify = ['openssl', 'pkeyutl', '-verify', ...key, '-rawin', '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig'];
  expect(await run(verify, { cwd })).toContain('Verified Successfully');
  expect(await run(['sha256sum', '--check', 'SHA256SUMS'], { cwd })).toContain(`${ARCHIVE}: OK`);
});

describe.each(Object.entries(ROOTS))('on a bare root filesystem, the %s', (name, fill) => {
  test('verifies a release, starts as nobody, answers, and stops', async () => {
    const root = await makeRoot(name, fill);
    const files = ['SHA256SUMS', PACKAGE, ARCHIVE].map((file) => `/released/${file}`);
    const report = await runInNamespace('release-inside.ts', {
      own: ['--mount', '--pid', '--fork'],
      commands: [`mount -t proc proc ${root}/proc`],
      args: [root, ...files],
    });
    const said = (stdout: RegExp) => ({ exitCode: 0, stdout: expect.stringMatching(stdout), stderr: '' });
    expect(report).toEqual({
      verified: [
        said(/^\/released\/SHA256SUMS: as released \(key [0-9a-f]{16}\)\n$/),
        said(/\.deb: as released \(key [0-9a-f]{16}\)\n$/),
        { exitCode: 1, stdout: '', stderr: expect.stringContaining('is NOT to be trusted: it differs') },
      ],
      version: said(new RegExp(`^lurecheck ${manifest.version}\n$`)),
      line: expect.stringContaining('"event":"server.listening"'),
      health: said(/^ready\n$/),
      answer: { status: 200, body: expect.objectContaining({ decision: 'allow' }) },
      exitCode: 0,
      stderr: expect.stringMatching(/^\S+"level":"info","event":"server.stopping"\S+\n$/),
    });
  }, 120_000);
});

describe('the unit of the package', () => {
  const root = inside('root-unit');
  const unit = join(root, 'usr/lib/systemd/system/lurecheck.service');
  beforeAll(() => makeRoot('unit', (made) => run(['dpkg-deb', '--extract', inside('released', PACKAGE), made])));

  test('is rated at most 2.0, and every line of it is understood', async () => {
    const rating = await run(['systemd-analyze', 'security', '--offline=true', unit]);
    expect(Number(/exposure level .*: ([\d.]+)/.exec(rating)?.[1])).toBeLessThanOrEqual(2);
    // It looks for the program on this machine.
    writeFileSync(unit, readFileSync(unit, 'utf8').replace('/usr/bin/lurecheck', process.execPath));
    expect(await run(['sh', '-c', 'systemd-analyze verify --man=no "$0" 2>&1', unit])).toBe('');
  });

  test('allows every system call that a service makes', async () => {
    const { SystemCallFilter } = Object.groupBy(
      [...readFileSync(unit, 'utf8').matchAll(/^(\w+)=~?(.*)$/gm)],
      ([, name = '']) => name,
    );
    const [allowed, forbidden] = (SystemCallFilter ?? []).map(([, , names = '']) => names.split(' '));
    const sets = await callSets();
    const isIn = (call: string, names: readonly string[] = []): boolean =>
      names.some((name) => name === call || isIn(call, sets.get(name)));
    const calls = await callsOfService(root);
    for (const call of ['execve', 'openat', 'pwrite64', 'accept4']) expect(calls).toContain(call);
    expect(calls.filter((call) => !isIn(call, allowed) || isIn(call, forbidden))).toEqual([]);
  }, 120_000);
});

/** What systemd means by each of its sets of system calls. */
async function callSets(): Promise<Map<string, string[]>> {
  const sets = (await run(['systemd-analyze', 'syscall-filter'])).split(/^(?=@)/m);
  return new Map(
    sets.map((text) => {
      const [name = '', ...lines] = text.split('\n').map((line) => line.trim());
      return [name, lines.filter((line) => line !== '' && !line.startsWith('#'))];
    }),
  );
}

/** The system calls of a service from its first instruction to its end, one check and its record included. */
async function callsOfService(root: string): Promise<string[]> {
  const trace = inside('trace');
  await run(['mount', '-t', 'proc', 'proc', join(root, 'proc')]);
  const service = ['/usr/bin/lurecheck', 'serve', '--network', 'none', '--listen', '127.0.0.1:0', '--data-dir'];
  const child = Bun.spawn(
    [
      'strace',
      '-f',
      '-o',
      trace,
      'chroot',
      `--userspec=${UNPRIVILEGED}:${UNPRIVILEGED}`,
      root,
      ...service,
      '/var/lib/lurecheck',
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  try {
    const reader = child.stdout.getReader();
    const line = new TextDecoder().decode((await reader.read()).value);
    const body = JSON.stringify({ url: 'https://example.com/' });
    const headers = { 'content-type': 'application/json' };
    const checked = await fetch(`${JSON.parse(line).url}/api/check-url`, { method: 'POST', headers, body });
    expect(checked.status).toBe(200);
    process.kill(Number.parseInt(readFileSync(trace, 'utf8'), 10), 'SIGTERM');
    await child.exited;
  } finally {
    await run(['umount', join(root, 'proc')]);
  }
  const lines = readFileSync(trace, 'utf8').split('\n');
  const start = lines.findIndex((one) => one.includes('execve("/usr/bin/lurecheck"'));
  return [...new Set(lines.slice(start).flatMap((one) => /^\d+ +(\w+)\(/.exec(one)?.[1] ?? []))];
}
