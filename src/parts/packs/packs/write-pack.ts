import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { type Manifest, type Member, PACK_FORMAT, readPackManifest } from './manifest.ts';
import { PackError } from './pack-error.ts';
import { type Sealed, UNSIGNED } from './seal.ts';

/** A member of a pack to be built. */
export interface NewMember extends Pick<Member, 'kind' | 'name'> {
  readonly content: Uint8Array;
}

/** Manifest of a pack to be built. */
export type NewManifest = Omit<Manifest, 'format' | 'members'>;

/**
 * Writes a pack atomically, signed if there is a key.
 *
 * @throws PackError if the manifest is invalid
 */
export async function writePack(
  path: string,
  about: NewManifest,
  members: readonly NewMember[],
  key: KeyObject | null,
): Promise<void> {
  const listed = members.map(({ kind, name, content }) => {
    return { kind, name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  });
  const manifest = Buffer.from(JSON.stringify({ format: PACK_FORMAT, ...about, members: listed } satisfies Manifest));
  readPackManifest(manifest);
  await writeWhole(path, [headOf(manifest, key), ...members.map(({ content }) => content)]);
}

/** Signs an existing pack and replaces its signature. */
export async function signPack({ path, manifest, membersAt, size }: Sealed, key: KeyObject): Promise<void> {
  await writeWhole(path, [headOf(manifest, key), await Bun.file(path).slice(membersAt, size).bytes()]);
}

/** Parses the private key (PEM) that signs packs. Throws a PackError if it is invalid. */
export function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new PackError('unusable', `the key cannot be read: ${NO_KEY}`, { cause });
  }
  throw new PackError('unusable', `the key has another type: ${NO_KEY}`);
}

const NO_KEY = 'expected a private Ed25519 key in PEM, as created by openssl genpkey -algorithm ed25519 -out FILE';

/** The three lines before the members. */
function headOf(manifest: Uint8Array, key: KeyObject | null): Uint8Array {
  const seal = key === null ? UNSIGNED : `ed25519 ${publicHalf(key)} ${sign(null, manifest, key).toString('base64')}`;
  return Buffer.concat([Buffer.from(`lurecheck pack ${PACK_FORMAT}\n`), manifest, Buffer.from(`\n${seal}\n`)]);
}

function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

async function writeWhole(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const draft = `${path}.new`;
  try {
    {
      await using file = await open(draft, 'w', 0o644);
      for (const part of parts) await file.writeFile(part);
      await file.sync();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
