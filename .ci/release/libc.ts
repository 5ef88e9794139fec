import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { run } from '../run-command.ts';
import type { ArchiveEntry } from './archive.ts';

/** The part of the C library that the executable loads. */
export interface Libc {
  /** As Debian numbers it. */
  readonly version: string;
  readonly files: readonly ArchiveEntry[];
}

/** The loader, the four libraries that the executable names, and what Debian says of their licence. */
const NEEDED =
  /^\.\/(?:usr\/)?lib(?:64|\/[\w-]+-linux-gnu)?\/(?:ld-linux-[\w-]+\.so\.\d|lib(?:c\.so\.6|m\.so\.6|dl\.so\.2|pthread\.so\.0))$|^\.\/usr\/share\/doc\/libc6\/copyright$/;

/**
 * The C library of Debian, out of its package libc6.
 *
 * @param architecture as Debian calls it
 * @param given the package as a file; where it is undefined, apt-get fetches that of this machine's release
 * @throws Error where it can't be had, or lacks what is needed.
 */
export async function debianLibc(architecture: string, given?: string): Promise<Libc> {
  const folder = await mkdtemp(join(tmpdir(), 'libc-'));
  try {
    const path = given ?? (await fetchPackage(architecture, folder));
    const version = output(['dpkg-deb', '--field', path, 'Version']).toString().trim();
    const files = await filesIn(output(['dpkg-deb', '--fsys-tarfile', path]));
    if (files.length < 7) throw new Error(`${path} lacks some of the C library: ${files.map((one) => one.path)}`);
    return { version, files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fetched with lists of its own, so that this machine's stay as they are; apt-get checks Debian's signature. */
async function fetchPackage(architecture: string, folder: string): Promise<string> {
  const options = [
    `Dir::State::Lists=${folder}/lists`,
    `Dir::Cache=${folder}/cache`,
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  for (const made of ['lists/partial', 'cache/archives/partial']) await mkdir(join(folder, made), { recursive: true });
  await run(['apt-get', '-qq', ...options, 'update']);
  await run(['env', '-C', folder, 'apt-get', '-qq', ...options, 'download', 'libc6']);
  const found = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (found === undefined) throw new Error(`apt-get has no libc6 for ${architecture}`);
  return join(folder, found);
}

function output(command: readonly string[]): Buffer {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`);
  return stdout;
}

async function filesIn(tar: Buffer): Promise<ArchiveEntry[]> {
  const archive = extract();
  archive.end(tar);
  const files: ArchiveEntry[] = [];
  for await (const entry of archive) {
    const { name, mode, type, linkname } = entry.header;
    const content = await buffer(entry);
    if (!NEEDED.test(name)) continue;
    const link = type === 'symlink' && linkname ? { linkTo: linkname } : {};
    files.push({ path: name.replace(/^\.\//, ''), content, mode: mode ?? 0o644, ...link });
  }
  return files;
}
