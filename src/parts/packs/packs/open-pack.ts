import { createHash } from 'node:crypto';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { bytesOf, type Manifest, type Member, readPackManifest } from './manifest.ts';
import { PackError } from './pack-error.ts';
import type { Sealed } from './seal.ts';

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
