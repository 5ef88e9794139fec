import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Signer } from '#src/admin/active/pack-state.ts';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { fingerprintOf } from '#src/core/base/public-key.ts';
import {
  bytesOf,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type Member,
  newerFormat,
  PACK_FORMAT,
  readPackManifest,
} from './manifest.ts';
import { PackError } from './pack-error.ts';

/** The seal of a pack: format, manifest and signature, one line each. */
export interface Sealed {
  readonly path: string;
  /** The signed bytes, not yet parsed. */
  readonly manifest: Uint8Array;
  /** The verified key that signed the manifest; null if the pack is unsigned. */
  readonly signer: Signer | null;
  /** Start of the members, and end of the file. */
  readonly membersAt: number;
  readonly size: number;
}

/** Third line of an unsigned pack. */
export const UNSIGNED = 'unsigned';

const FIRST_LINE = /^lurecheck pack ([1-9]\d{0,8})\n/;
const MAX_FIRST_BYTES = 32;
const SEAL_LINE = /^ed25519 ([A-Za-z0-9+/]{59}=) ([A-Za-z0-9+/]{86}==)$/;
const MAX_SEAL_BYTES = 200;
const MAX_HEAD_BYTES = MAX_FIRST_BYTES + MAX_MANIFEST_BYTES + MAX_SEAL_BYTES;

/**
 * Reads the seal of a pack and verifies the signature before the manifest is parsed. Does not decide if the key is trusted.
 *
 * @throws PackError
 */
export async function readSeal(path: string): Promise<Sealed> {
  const { head, size } = await readHead(path);
  const first = FIRST_LINE.exec(latin(head.subarray(0, MAX_FIRST_BYTES)));
  if (first === null) throw new PackError('not_a_pack', 'it is not a pack of lurecheck');
  if (Number(first[1]) > PACK_FORMAT) throw newerFormat(Number(first[1]));
  const manifestAt = first[0].length;
  const sealAt = lineEnd(head, manifestAt, MAX_MANIFEST_BYTES) + 1;
  const membersAt = lineEnd(head, sealAt, MAX_SEAL_BYTES) + 1;
  const manifest = head.subarray(manifestAt, sealAt - 1);
  const signer = verifySeal(latin(head.subarray(sealAt, membersAt - 1)), manifest);
  return { path, manifest, signer, membersAt, size };
}

/** Parses the public key of a pack. Throws a PackError if it is not an Ed25519 key. */
export function readSigner(key: string): Signer & { readonly object: KeyObject } {
  const object = keyObjectOf(key);
  if (object?.asymmetricKeyType !== 'ed25519') throw new PackError('forged', 'its key is not an Ed25519 key');
  return { fingerprint: fingerprintOf(object), key, object };
}

function verifySeal(line: string, manifest: Uint8Array): Signer | null {
  if (line === UNSIGNED) return null;
  const [, key, signature] = SEAL_LINE.exec(line) ?? [];
  if (!isCanonical(key) || !isCanonical(signature)) throw new PackError('forged', 'its signature cannot be read');
  const { object, ...signer } = readSigner(key);
  if (verify(null, manifest, object, Buffer.from(signature, 'base64'))) return signer;
  throw new PackError('forged', 'its signature does not match its key: it was changed or forged');
}

async function readHead(path: string): Promise<{ head: Uint8Array; size: number }> {
  try {
    const found = await stat(path);
    // A pipe would be waited for.
    if (!found.isFile()) throw new PackError('not_a_pack', 'it is not a file');
    return { head: await Bun.file(path).slice(0, MAX_HEAD_BYTES).bytes(), size: found.size };
  } catch (cause) {
    throw cause instanceof PackError ? cause : new PackError('not_a_pack', `it ${readErrorText(cause)}`, { cause });
  }
}

/** Returns the end of the line that begins at `from`. Throws a PackError if the line is longer than `maxBytes`. */
function lineEnd(head: Uint8Array, from: number, maxBytes: number): number {
  const end = head.indexOf(0x0a, from);
  if (end !== -1 && end - from <= maxBytes) return end;
  const isLong = head.length - from > maxBytes;
  throw isLong
    ? new PackError('not_a_pack', `a line at its beginning is longer than ${maxBytes} bytes`)
    : new PackError('cut_short', 'it is cut short');
}

/** Requires canonical base64: otherwise two texts could encode the same bytes. */
function isCanonical(base64: string | undefined): base64 is string {
  return base64 !== undefined && Buffer.from(base64, 'base64').toString('base64') === base64;
}

function keyObjectOf(key: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** A pack whose manifest was read and whose size matches it. */
export interface OpenPack extends Pick<Sealed, 'path' | 'signer'> {
  readonly manifest: Manifest;
  /** SHA-256 of its manifest, in hexadecimal. It covers all members through their digests. */
  readonly print: string;
  /** Returns the bytes of a member after verifying them against the manifest. Throws a PackError. */
  read(member: Member): Promise<Uint8Array>;
}

/** Opens a pack behind its seal. Throws a PackError if the manifest is invalid, or the file size does not match it. */
export function openPack({ path, manifest: bytes, signer, membersAt, size }: Sealed): OpenPack {
  const manifest = readPackManifest(bytes);
  const endsAt = membersAt + bytesOf(manifest);
  if (size < endsAt) throw new PackError('cut_short', `it is cut short: ${endsAt - size} bytes are missing at its end`);
  if (size > endsAt) throw new PackError('damaged', `${size - endsAt} bytes follow its end`);
  return {
    path,
    signer,
    manifest,
    print: createHash('sha256').update(bytes).digest('hex'),
    async read({ name, bytes: length, sha256 }) {
      const at = manifest.members.findIndex((member) => member.name === name);
      const begins = membersAt + bytesOf({ members: manifest.members.slice(0, at) });
      const read = await readPart(path, begins, begins + length);
      if (createHash('sha256').update(read).digest('hex') === sha256) return read;
      throw new PackError('damaged', `its member ${name} was changed`);
    },
  };
}

/** Verifies every member against the manifest. Throws a PackError for the first that differs. */
export async function verifyMembers(pack: OpenPack): Promise<void> {
  for (const member of pack.manifest.members) await pack.read(member);
}

/** The medium may be removed while it is read. */
async function readPart(path: string, from: number, to: number): Promise<Uint8Array> {
  try {
    return await Bun.file(path).slice(from, to).bytes();
  } catch (cause) {
    throw new PackError('damaged', `it ${readErrorText(cause)}`, { cause });
  }
}
