import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extract, type Header } from 'tar-stream';
import {
  ABOUT_FILE,
  type BackedUpFile,
  type BackupAbout,
  type BackupMac,
  type BackupManifest,
  damaged,
  MANIFEST_FILE,
  MAX_TEXT_BYTES,
  notABackup,
  readAbout,
  readManifest,
} from './backup-format.ts';

/** Takes a file of a backup, before it is known whether it is as it should be. */
type TakeFile = (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** Contents of a backup. */
interface ReadBackup {
  readonly about: BackupAbout;
  readonly files: readonly BackedUpFile[];
  /** Unproven; null for one without. */
  readonly mac: BackupMac | null;
}

/**
 * Reads a backup from beginning to end, and compares everything in it with its manifest.
 *
 * @throws BackupError if the file is not a backup, is of a newer version, cut short, or changed
 */
export async function readBackup(path: string, take: TakeFile = drain): Promise<ReadBackup> {
  const found: BackedUpFile[] = [];
  let about: BackupAbout | null = null;
  let listed: BackupManifest | null = null;
  try {
    for await (const {
      header: { name, type },
      bytes,
    } of entriesOf(path)) {
      if (listed || type !== 'file') throw damaged(path, `it has ${JSON.stringify(name)}, which is not in its list`);
      if (name === MANIFEST_FILE) {
        listed = readManifest(path, await textOf(path, bytes));
      } else if (about === null) {
        const text = name === ABOUT_FILE ? await textOf(path, bytes) : '';
        about = readAbout(path, text);
        found.push(fileOf(name, Buffer.from(text)));
      } else {
        found.push(await hashed(name, bytes, take));
      }
    }
  } catch (error) {
    throw asBackupError(path, error, about !== null);
  }
  if (about === null) throw notABackup(path);
  if (listed === null) throw damaged(path, 'it is cut short');
  compare(path, found, listed.files);
  return { about, files: found, mac: listed.mac ?? null };
}

/**
 * Returns what a backup states about itself, unverified. Throws BackupError if the file is not a backup, or is of a
 * newer version.
 */
export async function readBackupAbout(path: string): Promise<BackupAbout> {
  try {
    for await (const { header, bytes } of entriesOf(path)) {
      return readAbout(path, header.name === ABOUT_FILE ? await textOf(path, bytes) : '');
    }
  } catch (error) {
    throw asBackupError(path, error, false);
  }
  throw notABackup(path);
}

/** A file in an archive. */
interface BackupEntry {
  readonly header: Header;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Yields the files of an archive, each to be read before the next. {@link asBackupError} translates what the package
 * throws.
 */
async function* entriesOf(path: string): AsyncGenerator<BackupEntry> {
  const source = createReadStream(path);
  const archive = extract();
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) yield { header: entry.header, bytes: bytesOf(entry) };
  } finally {
    source.destroy();
  }
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
}

/**
 * The package distinguishes errors by their text only: an archive that ends too early has that of a file that is no
 * archive.
 */
function asBackupError(path: string, error: unknown, hasBegun: boolean): unknown {
  const isPlain = error instanceof Error && (error.constructor === Error || error.constructor.name === 'StreamError');
  if (isPlain && 'code' in error && error.code === 'EISDIR') return notABackup(path);
  const isOfPackage = isPlain && !('syscall' in error);
  if (!isOfPackage) return error;
  return hasBegun ? damaged(path, 'it is cut short or was changed') : notABackup(path);
}

async function textOf(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) throw notABackup(path);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function hashed(name: string, entry: AsyncIterable<Uint8Array>, take: TakeFile): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of entry) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await take(name, counted());
  return { name, bytes, sha256: hash.digest('hex') };
}

function fileOf(name: string, bytes: Buffer): BackedUpFile {
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function compare(path: string, found: readonly BackedUpFile[], listed: readonly BackedUpFile[]): void {
  if (found.length !== listed.length) throw damaged(path, `it has ${found.length} of ${listed.length} files`);
  for (const [at, { name, sha256 }] of listed.entries()) {
    if (found[at]?.name !== name || found[at]?.sha256 !== sha256) throw damaged(path, `its member ${name} was changed`);
  }
}

async function drain(_: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const __ of bytes);
}
