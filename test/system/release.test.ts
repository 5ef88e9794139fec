import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { keyId } from '#src/core/base/public-key.ts';
import { extractRelease } from '#src/parts/host/upgrade/prepare.ts';
import { digestOf, verifyReleased } from '#src/parts/host/upgrade/released-file.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runInNamespace } from './namespace.ts';

const TARGET = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'amd64';
const NAME = `lurecheck-${manifest.version}`;
const [ARCHIVE, PACKAGE, IMAGE] = [
  `${NAME}-${TARGET}.tar.xz`,
  `lurecheck_${manifest.version}_${ARCHITECTURE}.deb`,
  `${NAME}-image-${ARCHITECTURE}.tar`,
];
/** What a minimal Debian can open, which has no xz. */
const ARCHIVE_FOR_DEBIAN = ARCHIVE.replace('.xz', '.gz');
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
});

afterAll(() => folder[Symbol.asyncDispose]());

/** The root filesystems on which people put it, each with the C library of Debian and nothing else below it. */
const ROOTS: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  archive: async (root) => {
    await run(['tar', '-xJf', inside('released', ARCHIVE), '-C', root]);
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

test('the same source produces the same bytes in any environment', () => {
  const [one, two] = ['released', 'again'].map((name) => readFileSync(inside(name, 'SHA256SUMS'), 'utf8'));
  expect(one).toBe(two ?? '');
  for (const file of [ARCHIVE, PACKAGE, IMAGE, `${NAME}.cdx.json`, 'CHANGELOG.md', 'INSTALL.md', 'release-keys.pem'])
    expect(one).toContain(`  ${file}\n`);
  const signatures = ['released', 'again'].map((name) => readFileSync(inside(name, 'SHA256SUMS.sig'), 'hex'));
  expect(signatures[0]).toBe(signatures[1] ?? '');
});

describe('the commands of INSTALL.md', () => {
  const commandWith = (word: string) =>
    [...readFileSync(inside('released/INSTALL.md'), 'utf8').matchAll(/```sh\n([^`]*)```/g)]
      .map(([, command = '']) => command)
      .find((command) => command.startsWith(word)) ?? '';
  const runWith = (word: string, cwd = inside('released')) => run(['sh', '-ec', commandWith(word)], { cwd });

  test.each([
    ['openssl pkeyutl', 'Verified Successfully'],
    ['minisign', `Trusted comment: lurecheck ${manifest.version}`],
    ['signify-openbsd', 'Signature Verified'],
    ['sha256sum', `${ARCHIVE}: OK`],
  ])('%s accepts an unchanged release, and refuses a changed one', async (word, said) => {
    expect(await runWith(word)).toContain(said);
    await using directory = temporaryDirectory();
    for (const file of [
      'SHA256SUMS',
      'SHA256SUMS.sig',
      'SHA256SUMS.minisig',
      'release-keys.pem',
      'release-key.pub',
      ARCHIVE,
    ])
      cpSync(inside('released', file), join(directory.path, file));
    appendFileSync(join(directory.path, word === 'sha256sum' ? ARCHIVE : 'SHA256SUMS'), '\n');
    await expect(runWith(word, directory.path)).rejects.toThrow();
  });

  test('print the fingerprint of the key that lurecheck reports', async () => {
    expect((await runWith('openssl pkey ')).trim()).toBe(
      keyId(readFileSync(inside('released/release-keys.pem'), 'utf8')),
    );
  });
});

test('lurecheck verify accepts every file of a release', async () => {
  const keys = readFileSync(inside('released/release-keys.pem'), 'utf8');
  const files = readdirSync(inside('released'));
  const kinds = await Promise.all(
    files.map(async (file) => (await verifyReleased(inside('released', file), keys)).kind),
  );
  expect(kinds).toEqual(files.map(() => 'genuine'));
});

test.each([ARCHIVE, ARCHIVE_FOR_DEBIAN])('an upgrade extracts the executable from %s by itself', async (archive) => {
  await using directory = temporaryDirectory();
  const folder = directory.path;
  const like = inside('one/dist', `lurecheck-${TARGET}`);
  const keys = readFileSync(inside('released/release-keys.pem'), 'utf8');
  const { sha256 } = await extractRelease(inside('released', archive), { folder, keys, like });
  expect(sha256).toBe(await digestOf(like));
});

test('lintian finds no error in the package, which has a copyright file and a changelog', async () => {
  await run(['lintian', '--fail-on', 'error', inside('released', PACKAGE)]);
  const root = inside('docs');
  await run(['dpkg-deb', '--extract', inside('released', PACKAGE), root]);
  const docs = join(root, 'usr/share/doc/lurecheck');
  expect(readFileSync(join(docs, 'copyright'), 'utf8')).toContain('License: Apache-2.0');
  expect(await run(['dpkg-parsechangelog', '--file', join(docs, 'changelog.gz'), '--show-field', 'Version'])).toBe(
    `${manifest.version}\n`,
  );
});

test('the package has the manual page, and completions that bash accepts', async () => {
  const root = inside('read');
  await run(['dpkg-deb', '--extract', inside('released', PACKAGE), root]);
  expect(await run(['zcat', join(root, 'usr/share/man/man1/lurecheck.1.gz')])).toStartWith('.TH LURECHECK 1');
  const completions = join(root, 'usr/share/bash-completion/completions/lurecheck');
  expect(await run(['bash', '-c', 'source "$0" && complete -p lurecheck', completions])).toContain('lurecheck');
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
        said(/^\/released\/SHA256SUMS: authentic \(key [0-9a-f]{16}\)\n$/),
        said(/\.deb: authentic \(key [0-9a-f]{16}\)\n$/),
        { exitCode: 1, stdout: '', stderr: expect.stringContaining('is NOT trustworthy: it differs') },
      ],
      version: said(new RegExp(`^lurecheck ${manifest.version}\n$`)),
      line: expect.stringContaining('"event":"server.listening"'),
      health: said(/^ready\n$/),
      answer: { status: 200, body: expect.objectContaining({ decision: 'allow' }) },
      exitCode: 0,
      later: expect.stringMatching(/"event":"check.done".*\n.*"level":"info","event":"server.stopping"\S+\n$/),
      stderr: '',
    });
  });
});
