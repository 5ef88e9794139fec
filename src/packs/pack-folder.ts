import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/base/json-shape.ts';
import { obstacleOf } from '#src/base/named-file.ts';
import { memberKindOf } from './member-kinds.ts';
import { PackError } from './pack-error.ts';
import type { NewManifest, NewMember } from './write-pack.ts';

/** What a pack that is to be says of itself, beside its members. */
const ABOUT_FILE = 'pack.json';

const AboutSchema = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    /** A day, whose end is meant, or a time. */
    expires: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z)?$' }),
    publisher: Type.String(),
    needs: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** What a folder says of the pack that is to be made of it. */
export interface PackFolder {
  readonly about: NewManifest;
  readonly members: readonly NewMember[];
}

/**
 * Reads the folder of a pack that is to be. Files whose names begin with a dot are left alone.
 *
 * @throws PackError where a file has no place in a pack, or `pack.json` does not say what it is
 */
export async function readPackFolder(folder: string, createdMs: number): Promise<PackFolder> {
  const names = await namesIn(folder);
  if (!names.includes(ABOUT_FILE))
    throw new PackError('unusable', `${folder} has no ${ABOUT_FILE}, which says what the pack is`);
  const shaped = readShape(AboutSchema, parseJson(await Bun.file(join(folder, ABOUT_FILE)).text()));
  if ('problem' in shaped)
    throw new PackError('unusable', `${ABOUT_FILE} does not say what the pack is: ${shaped.problem}`);
  const { expires, ...about } = shaped.value;
  const members: NewMember[] = [];
  for (const name of names) {
    if (name === ABOUT_FILE) continue;
    const kind = memberKindOf(name);
    if (kind === null)
      throw new PackError(
        'unusable',
        `${name} has no place in a pack; see src/packs/FORMAT.md, or lurecheck help pack`,
      );
    members.push({ kind, name, content: await Bun.file(join(folder, name)).bytes() });
  }
  return { about: { ...about, created: new Date(createdMs).toISOString(), expires: timeOf(expires) }, members };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
      .filter((name) => !/(?:^|\/)\./.test(name))
      .toSorted();
  } catch (cause) {
    throw new PackError('unusable', `${folder} ${obstacleOf(cause)}`, { cause });
  }
}

function timeOf(expires: string): string {
  const date = new Date(expires.includes('T') ? expires : `${expires}T23:59:59.999Z`);
  if (Number.isNaN(date.getTime()))
    throw new PackError('unusable', `${ABOUT_FILE} names a day that there is not: ${expires}`);
  return date.toISOString();
}
