import { createHash, sign } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MINISIGNATURE, SIGNATURE, SUMS } from '#src/parts/host/upgrade/released-file.ts';
import manifest from '../package.json' with { type: 'json' };
import { gzipped, tarOf } from './release/archive.ts';
import { readContents } from './release/contents.ts';
import { debianPackage } from './release/debian-package.ts';
import { imageArchive } from './release/image-archive.ts';
import { debianLibc } from './release/libc.ts';
import { minisignature, minisignKey } from './release/minisign.ts';
import { BELIEVED, makeSigningKey, readSigningKey } from './release/signing-key.ts';
import { xzCompressed } from './release/xz.ts';
import { run } from './run-command.ts';
import { isTarget, type Target } from './runtimes.ts';

/** What is released, and for what else than a tar archive, by Debian's and the OCI's name of the processor. */
const RELEASED: Readonly<Partial<Record<Target, 'amd64' | 'arm64' | null>>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
  'linux-x64-musl': null,
  'linux-arm64-musl': null,
};

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    unsigned: { type: 'boolean', default: false },
    'new-key': { type: 'string' },
    target: { type: 'string', multiple: true },
    libc: { type: 'string', multiple: true },
    out: { type: 'string', default: 'dist/release' },
    maintainer: { type: 'string', default: `${manifest.author} <maintainers@lurecheck.invalid>` },
  },
  strict: true,
});

if (values['new-key'] !== undefined) {
  process.stdout.write(`key ${makeSigningKey(values['new-key'])}: commit .ci/release-keys.pem\n`);
} else if ((values.key === undefined) === !values.unsigned) {
  throw new Error('say --key FILE, with the private key that signs, or --unsigned');
} else {
  await release(values.out, values.target ?? Object.keys(RELEASED));
}

/** Writes all files of a release, then the list of their digests and the signature over it. */
async function release(out: string, targets: readonly string[]): Promise<void> {
  const key = values.key === undefined ? null : readSigningKey(values.key);
  const mtime = await sourceDate();
  const contents = readContents();
  const origin = { maintainer: values.maintainer, date: mtime };
  const sums: string[] = [];
  const name = `lurecheck-${contents.version}`;
  const write = async (file: string, bytes: Uint8Array | string) => {
    await Bun.write(join(out, file), bytes);
    sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`);
    process.stdout.write(`${join(out, file)}\n`);
  };
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await write('CHANGELOG.md', contents.changelog);
  await write('INSTALL.md', contents.install);
  await write('release-keys.pem', await Bun.file(BELIEVED).bytes());
  if (key !== null) await write('release-key.pub', minisignKey(key));
  await write(`${name}.cdx.json`, contents.sbom);
  for (const target of targets) {
    const architecture = isTarget(target) ? RELEASED[target] : undefined;
    if (architecture === undefined) throw new Error(`--target: choose among ${Object.keys(RELEASED).join(', ')}`);
    await run([process.execPath, '.ci/build.ts', '--target', target]);
    const executable = await Bun.file(`dist/lurecheck-${target}`).bytes();
    const folder = contents.folder(`${name}-${target}`, executable);
    const tar = await tarOf(folder, mtime);
    await write(`${name}-${target}.tar.xz`, await xzCompressed(tar));
    // A minimal Debian has gzip and no xz.
    await write(`${name}-${target}.tar.gz`, await gzipped(tar));
    if (architecture === null) continue;
    const debian = await debianPackage(contents.debian(architecture, executable, origin), mtime);
    await write(`lurecheck_${contents.version}_${architecture}.deb`, debian);
    const libc = await debianLibc(
      architecture,
      values.libc?.find((path) => path.endsWith(`_${architecture}.deb`)),
    );
    const image = await imageArchive(contents.image(architecture, executable, libc), mtime);
    await write(`${name}-image-${architecture}.tar`, image);
  }
  const list = Buffer.from(sums.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join(''));
  await Bun.write(join(out, SUMS), list);
  if (key === null) return;
  await Bun.write(join(out, SIGNATURE), sign(null, list, key));
  await Bun.write(join(out, MINISIGNATURE), minisignature(key, list, `lurecheck ${contents.version}`));
}

/** When the source was last changed: by `SOURCE_DATE_EPOCH` (https://reproducible-builds.org), or the last commit. */
async function sourceDate(): Promise<Date> {
  const commit = () => Bun.spawn(['git', 'log', '-1', '--format=%ct'], { stderr: 'ignore' }).stdout.text();
  const seconds = process.env['SOURCE_DATE_EPOCH'] ?? (await commit());
  if (!/^\d+\s*$/.test(seconds)) throw new Error('SOURCE_DATE_EPOCH must say when the source was changed, in seconds');
  return new Date(Number(seconds) * 1000);
}
