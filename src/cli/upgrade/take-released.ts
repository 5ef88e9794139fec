import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { obstacleOf } from '#src/base/named-file.ts';
import { DOUBTS, digestOf, verifyReleased } from '../released-file.ts';
import { HEAD_BYTES, platformOf } from './elf-platform.ts';
import { UpgradeError } from './upgrade-error.ts';

/** An executable that was released, on this disk. */
export interface ReleasedProgram {
  readonly path: string;
  readonly sha256: string;
  /** Identifier of the key that signed its release. */
  readonly key: string;
}

/** The executable in the archive of a release: `lurecheck-0.1.0-linux-x64/lurecheck`. */
const IN_ARCHIVE = /^[^/]+\/lurecheck$/;

/**
 * Copies a file of a release into a folder, verifies the copy, which nobody can change any more, and gets the executable out.
 *
 * @param keys public keys that are believed, as PEM
 * @throws UpgradeError where it is not genuine, holds no executable, or one for another platform than `like` is for
 */
export async function takeReleased(
  file: string,
  { folder, keys, like }: { readonly folder: string; readonly keys: string; readonly like: string },
): Promise<ReleasedProgram> {
  const [copy, path] = [join(folder, 'released'), join(folder, 'program')];
  await checkReadable(file);
  await copyFile(file, copy);
  const found = await verifyReleased(file, keys, copy);
  if (!('key' in found)) throw new UpgradeError(`${file} ${DOUBTS[found.kind]}.`);
  const kind = kindOf(await headOf(copy));
  if (kind === 'program') await copyFile(copy, path);
  else if (kind === 'archive') await unpack(file, copy, path);
  else throw new UpgradeError(`${file} ${OTHERS[kind]}.`);
  await using program = await open(path, 'r+');
  await program.chmod(0o755);
  await program.sync();
  await checkPlatform(file, path, like);
  return { path, sha256: await digestOf(path), key: found.key };
}

/** What fails afterwards is no fault of the file. */
async function checkReadable(file: string): Promise<void> {
  const problem = await Bun.file(file)
    .slice(0, 1)
    .bytes()
    .then(() => null, obstacleOf);
  if (problem !== null) throw new UpgradeError(`${file} ${problem}.`);
}

/** What is genuine, and not for here; as the end of a sentence. */
const OTHERS = {
  package: "is Debian's package: install it by dpkg -i, and restart the service",
  other: 'is of this release, but holds no executable for here: name its archive, lurecheck-VERSION-PLATFORM.tar.gz',
} as const;

function kindOf(head: Uint8Array): 'program' | 'archive' | keyof typeof OTHERS {
  const begins = (text: string, bytes: readonly number[] = []) =>
    Buffer.from(head).indexOf(Buffer.concat([Buffer.from(bytes), Buffer.from(text)])) === 0;
  if (begins('ELF', [0x7f])) return 'program';
  // RFC 1952 §2.3.1.
  if (begins('', [0x1f, 0x8b])) return 'archive';
  return begins('!<arch>') ? 'package' : 'other';
}

async function unpack(file: string, archive: string, to: string): Promise<void> {
  const entries = extract();
  const unpacked = pipeline(createReadStream(archive), createGunzip(), entries);
  let isFound = false;
  for await (const entry of entries) {
    const isProgram: boolean = !isFound && entry.header.type === 'file' && IN_ARCHIVE.test(entry.header.name);
    isFound ||= isProgram;
    if (isProgram) await pipeline(entry, createWriteStream(to));
    else entry.resume();
  }
  await unpacked;
  if (!isFound) throw new UpgradeError(`${file} ${OTHERS.other}.`);
}

async function checkPlatform(file: string, path: string, like: string): Promise<void> {
  const [theirs, ours] = [platformOf(await headOf(path)), platformOf(await headOf(like))];
  if (theirs === ours) return;
  throw new UpgradeError(
    `${file} is for ${theirs ?? 'another system'}, and this machine runs ${ours ?? 'another'}: take lurecheck-VERSION-${ours}.tar.gz.`,
  );
}

async function headOf(path: string): Promise<Uint8Array> {
  return await Bun.file(path).slice(0, HEAD_BYTES).bytes();
}
