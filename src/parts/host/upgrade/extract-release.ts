import { createWriteStream } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { XzReadableStream } from 'xz-decompress';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { digestOf, VERIFICATION_ERRORS, verifyReleased } from './released-file.ts';
import { UpgradeError } from './upgrade-context.ts';

/** Bytes of a program that identify its platform: its headers and the name of its loader. */
export const HEAD_BYTES = 8192;

/** Processors by `e_machine` (elf(5)). */
const PROCESSORS: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };

/** The type of the program header that names the loader. */
const PT_INTERP = 3;

/**
 * Returns the platform of a program as releases are named: `linux-x64`, `linux-arm64-musl`; null if it is not a program
 * for Linux on one of their processors.
 *
 * @param head its first {@link HEAD_BYTES} bytes, or all if it has fewer
 */
export function platformOf(head: Uint8Array): string | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  // 64 bits, the lowest byte first.
  if (bytes.length < 64 || bytes.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return null;
  const processor = PROCESSORS[bytes.readUInt16LE(18)];
  if (processor === undefined) return null;
  return `linux-${processor}${/musl/.test(loaderIn(bytes)) ? '-musl' : ''}`;
}

/** Returns the path of the loader; empty if the head does not name one. */
function loaderIn(bytes: Buffer): string {
  const [start, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  for (let n = 0; n < count; n++) {
    const header = bytes.subarray(start + n * size, start + (n + 1) * size);
    if (header.length < 40 || header.readUInt32LE(0) !== PT_INTERP) continue;
    const [at, length] = [Number(header.readBigUInt64LE(8)), Number(header.readBigUInt64LE(32))];
    return bytes.toString('latin1', at, at + length);
  }
  return '';
}

/** An executable that was released, on this disk. */
interface ReleasedProgram {
  readonly path: string;
  readonly sha256: string;
  /** Identifier of the key that signed its release. */
  readonly key: string;
}

/** The executable in the archive of a release: `lurecheck-0.2.0-linux-x64/lurecheck`. */
const IN_ARCHIVE = /^[^/]+\/lurecheck$/;

/**
 * Copies a release file into a folder, verifies the copy, which no other user can change, and extracts the executable.
 *
 * @param keys trusted public keys, as PEM
 * @throws UpgradeError if it is not genuine, or contains no executable for the platform of `like`
 */
export async function extractRelease(
  file: string,
  { folder, keys, like }: { readonly folder: string; readonly keys: string; readonly like: string },
): Promise<ReleasedProgram> {
  const [copy, path] = [join(folder, 'released'), join(folder, 'program')];
  await checkReadable(file);
  // Remove leftovers, which may be links that a write would follow.
  for (const left of [copy, path]) await rm(left, { recursive: true, force: true });
  await copyFile(file, copy);
  const found = await verifyReleased(file, keys, copy);
  if (!('key' in found)) throw new UpgradeError(`${file} ${VERIFICATION_ERRORS[found.kind]}.`);
  const kind = kindOf(await headOf(copy));
  if (kind === 'program') await copyFile(copy, path);
  else if (kind === 'tar.xz' || kind === 'tar.gz') await unpack(file, readersOf[kind](Bun.file(copy)), path);
  else throw new UpgradeError(`${file} ${OTHERS[kind]}.`);
  await using program = await open(path, 'r+');
  await program.chmod(0o755);
  await program.sync();
  await checkPlatform(file, path, like);
  return { path, sha256: await digestOf(path), key: found.key };
}

/** Throws UpgradeError if the file is unreadable, so that later errors are not attributed to it. */
async function checkReadable(file: string): Promise<void> {
  const problem = await Bun.file(file)
    .slice(0, 1)
    .bytes()
    .then(() => null, readErrorText);
  if (problem !== null) throw new UpgradeError(`${file} ${problem}.`);
}

/** Genuine files that cannot be used here, described as the end of a sentence. */
const OTHERS = {
  package: 'is a Debian package: install it with dpkg -i, and restart the service',
  other: 'is from this release, but has no executable: use its archive, lurecheck-VERSION-PLATFORM.tar.xz',
} as const;

function kindOf(head: Uint8Array): 'program' | 'tar.xz' | 'tar.gz' | keyof typeof OTHERS {
  const begins = (text: string, bytes: readonly number[] = []) =>
    Buffer.from(head).indexOf(Buffer.concat([Buffer.from(bytes), Buffer.from(text)])) === 0;
  if (begins('ELF', [0x7f])) return 'program';
  // The .xz file format 1.2.1, §2.1.1.1.
  if (begins('7zXZ', [0xfd])) return 'tar.xz';
  // RFC 1952 §2.3.1; releases before 0.2.0.
  if (begins('', [0x1f, 0x8b])) return 'tar.gz';
  return begins('!<arch>') ? 'package' : 'other';
}

/** Decompressed in the program, since an appliance may lack xz. */
const readersOf = {
  'tar.xz': (archive: Blob) => new XzReadableStream(archive.stream()),
  'tar.gz': (archive: Blob) => archive.stream().pipeThrough(new DecompressionStream('gzip')),
};

async function unpack(file: string, tar: ReadableStream<Uint8Array>, to: string): Promise<void> {
  const entries = extract();
  const unpacked = pipeline(Readable.fromWeb(tar), entries);
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
    `${file} is for ${theirs ?? 'another system'}, and this host is ${ours ?? 'another'}: use lurecheck-VERSION-${ours}.tar.xz.`,
  );
}

async function headOf(path: string): Promise<Uint8Array> {
  return await Bun.file(path).slice(0, HEAD_BYTES).bytes();
}
