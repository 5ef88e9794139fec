import { createHash } from 'node:crypto';
import { obstacleOf } from '#src/core/base/files/named-file.ts';
import { bytesOf, type Manifest, type Member, readPackManifest } from './manifest.ts';
import { PackError } from './pack-error.ts';
import type { Sealed } from './seal.ts';

/** A pack whose manifest was read, and whose members are as long as that says. */
export interface OpenPack extends Pick<Sealed, 'path' | 'signer'> {
  readonly manifest: Manifest;
  /** By which it is known again: SHA-256 of its manifest, in hexadecimal. It covers all members, by their own. */
  readonly print: string;
  /** A member's bytes, once they are known to be those of the manifest. Throws a PackError. */
  read(member: Member): Promise<Uint8Array>;
}

/** Opens a pack behind its seal. Throws a PackError where the manifest is none, or the file is longer or shorter. */
export function openPack({ path, manifest: bytes, signer, membersAt, size }: Sealed): OpenPack {
  const manifest = readPackManifest(bytes);
  const endsAt = membersAt + bytesOf(manifest);
  if (size < endsAt) throw new PackError('cut_short', `it is cut short: ${endsAt - size} bytes are missing at its end`);
  if (size > endsAt) throw new PackError('damaged', `${size - endsAt} bytes follow its end`);
  const beginnings = new Map<string, number>();
  let at = membersAt;
  for (const { name, bytes: length } of manifest.members) {
    beginnings.set(name, at);
    at += length;
  }
  return {
    path,
    signer,
    manifest,
    print: createHash('sha256').update(bytes).digest('hex'),
    async read({ name, bytes: length, sha256 }) {
      const begins = beginnings.get(name) ?? 0;
      const read = await readPart(path, begins, begins + length);
      if (createHash('sha256').update(read).digest('hex') === sha256) return read;
      throw new PackError('damaged', `${name} in it is not as it was`);
    },
  };
}

/** Holds every member against the manifest. Throws a PackError for the first that is another. */
export async function proveMembers(pack: OpenPack): Promise<void> {
  for (const member of pack.manifest.members) await pack.read(member);
}

/** A stick may be pulled while it is read. */
async function readPart(path: string, from: number, to: number): Promise<Uint8Array> {
  try {
    return await Bun.file(path).slice(from, to).bytes();
  } catch (cause) {
    throw new PackError('damaged', `it ${obstacleOf(cause)}`, { cause });
  }
}
