import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A version that is made of this source for tests. */
export interface MadeVersion {
  readonly version: string;
  /** True if it has one more step of the schema, so that an older one refuses its files. */
  readonly migrates?: boolean;
  /** True if its service ends once it has opened its logs. */
  readonly isBroken?: boolean;
}

/** All versions that tests need; each is built once for all of them. */
export const VERSIONS: readonly MadeVersion[] = [
  { version: '1.0.0' },
  { version: '1.0.1' },
  { version: '1.1.0', migrates: true },
  { version: '1.2.0', migrates: true, isBroken: true },
];

/** Executables of several versions that believe one key, and releases of them, signed by it. */
export interface MadeReleases {
  /** Path of an executable. */
  program(version: string): string;
  /** Path of the archive of a release, its signed list beside it. */
  archive(version: string): string;
  /** Puts any file into a folder of its own, with a signed list that names it; its path. */
  release(name: string, bytes: Uint8Array): string;
}

const TARGET = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';

/** Returns the name of the archive of a version without its ending. */
export function archiveName(version: string): string {
  return `lurecheck-${version}-${TARGET}`;
}

/** Opens the executables of all versions, which the first test file builds, and puts releases into a folder. */
export async function makeReleases(folder: string): Promise<MadeReleases> {
  const made = resolve('dist/releases', fingerprint());
  const build = [process.execPath, join(import.meta.dir, 'make-versions.ts'), made];
  mkdirSync('dist', { recursive: true });
  const child = Bun.spawn(['flock', 'dist', ...build], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stderr = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(stderr);
  const key = createPrivateKey(readFileSync(join(made, 'key.pem')));
  const release = (name: string, bytes: Uint8Array) => {
    const into = join(folder, 'released', name);
    mkdirSync(into, { recursive: true });
    const sums = `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    writeFileSync(join(into, name), bytes);
    writeFileSync(join(into, 'SHA256SUMS'), sums);
    writeFileSync(join(into, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key));
    return join(into, name);
  };
  const archives = new Map<string, string>();
  return {
    program: (version) => join(made, archiveName(version), 'lurecheck'),
    archive(version) {
      const name = `${archiveName(version)}.tar.gz`;
      return archives.getOrInsertComputed(version, () => release(name, readFileSync(join(made, name))));
    },
    release,
  };
}

/** Returns the files of this source without its tests. */
export function sourceFiles(): string[] {
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return String(listed.stdout)
    .split('\0')
    .filter((path) => path !== '' && !path.startsWith('test/'));
}

function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(VERSIONS));
  for (const path of sourceFiles()) hash.update(`${path}\0`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}
