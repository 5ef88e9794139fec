import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { readErrorText } from '#src/core/base/files/named-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { FACTS_IN_PACKS, memberKindOf } from './member-kinds.ts';
import { PackError } from './pack-error.ts';
import type { NewManifest, NewMember } from './write-pack.ts';

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

/** Description and members of a pack to be built. */
export interface PackFolder {
  readonly about: NewManifest;
  readonly members: readonly NewMember[];
}

/**
 * Reads the folder of a pack to be built. Files whose names begin with a dot are ignored.
 *
 * @throws PackError if packs cannot contain a file, or `pack.json` is invalid
 */
export async function readPackFolder(folder: string, createdMs: number): Promise<PackFolder> {
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
