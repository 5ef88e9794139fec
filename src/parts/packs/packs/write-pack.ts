import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { FACTS_IN_PACKS, type Manifest, type Member, memberKindOf, PACK_FORMAT, readPackManifest } from './manifest.ts';
import { type Sealed, UNSIGNED } from './open-pack.ts';
import { PackError } from './pack-error.ts';

/** File that describes a pack to be built, beside its members. */
const ABOUT_FILE = 'pack.json';

const AboutSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** A date, of which the end counts, or a time. */
    expires: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z)?$' }),
    publisher: Type.String(),
    needs: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/**
 * Reads the folder of a pack to be built. Files whose names begin with a dot are ignored.
 *
 * @throws PackError if packs cannot contain a file, or `pack.json` is invalid
 */
export async function readPackFolder(folder: string, createdMs: number) {
  const names = await namesIn(folder);
  if (!names.includes(ABOUT_FILE))
    throw new PackError('unusable', `${folder} has no ${ABOUT_FILE}, which describes the pack`);
  const shaped = readShape(AboutSchema, parseJson(await Bun.file(join(folder, ABOUT_FILE)).text()));
  if ('problem' in shaped)
    throw new PackError('unusable', `${ABOUT_FILE} does not describe the pack: ${shaped.problem}`);
  const { expires, ...about } = shaped.value;
  const members: NewMember[] = [];
  for (const name of names) {
    if (name === ABOUT_FILE) continue;
    const kind = memberKindOf(name);
    if (kind === null)
      throw new PackError(
        'unusable',
        `${name} does not belong in a pack${name.startsWith('facts/') ? `: ${FACTS_IN_PACKS}` : ''}; see src/parts/packs/packs/FORMAT.md, or lurecheck help pack`,
      );
    members.push({ kind, name, content: await Bun.file(join(folder, name)).bytes() });
  }
  return { about: { ...about, created: new Date(createdMs).toISOString(), expires: timeOf(expires) }, members };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await filesIn(folder, '')).toSorted();
  } catch (cause) {
    if (cause instanceof PackError) throw cause;
    throw new PackError('unusable', `${folder} ${readErrorText(cause)}`, { cause });
  }
}

/** Returns the paths of all files below a folder. */
async function filesIn(folder: string, below: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) names.push(...(await filesIn(folder, name)));
    else if (entry.isFile()) names.push(name);
    // A link could lead to a file that its maker may not read, and the signature would publish it.
    else throw new PackError('unusable', `${name} is not a regular file: copy its target`);
  }
  return names;
}

function timeOf(expires: string): string {
  const date = new Date(expires.includes('T') ? expires : `${expires}T23:59:59.999Z`);
  // The parser takes 2027-02-30 for the second of March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(expires.slice(0, 10)))
    throw new PackError('unusable', `${ABOUT_FILE}: invalid date ${expires}`);
  return date.toISOString();
}

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
