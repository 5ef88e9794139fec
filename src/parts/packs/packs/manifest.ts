import { type Static, Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { SERVER_TABLES } from '#src/core/knowledge/registries/server-table.ts';
import { PackError } from './pack-error.ts';

/** Kinds of members, each with its file names. */
const KINDS = {
  /** The trained model and the weights beside it; one needs the other. */
  model: /^model\/(?:lexical\.bin|fusion\.json)$/,
  /** Brands, in the format of `lurecheck brand`. */
  brands: /^brands\.json$/,
  /** Probabilities from which a check warns and blocks. */
  thresholds: /^thresholds\.json$/,
  /** A list, in any of the formats of `lurecheck lists import`. */
  list: /^lists\/(?:block|allow)\/[a-z0-9][a-z0-9_-]{0,31}\.[a-z0-9]{1,8}$/,
  /** A table of facts that the program has too. */
  facts: /^facts\/(?:rdap|whois)-servers\.json$/,
  /** The successor of the key that signed this pack. */
  key: /^next-key\.pem$/,
} as const;

/** A known kind of member. */
export type MemberKind = keyof typeof KINDS;

const isKnown = (kind: string): kind is MemberKind => Object.hasOwn(KINDS, kind);

/** Tables of facts that a pack may contain, in words. */
export const FACTS_IN_PACKS = `of facts, packs may contain ${SERVER_TABLES.map((name) => `facts/${name}`).join(' and ')}`;

/** Returns the kind of a file in a pack folder; null if packs cannot contain it. */
export function memberKindOf(name: string): MemberKind | null {
  return (Object.keys(KINDS).find((kind) => isKnown(kind) && KINDS[kind].test(name)) as MemberKind | undefined) ?? null;
}

/**
 * Sorts the members of a pack by known and unknown kinds. Throws a PackError if a known kind has an unexpected name.
 */
export function sortMembers({ members }: Pick<Manifest, 'members'>) {
  const knownMembers: (Member & { kind: MemberKind })[] = [];
  const unknownMembers: string[] = [];
  for (const member of members) {
    const { kind, name } = member;
    if (!isKnown(kind)) unknownMembers.push(name);
    else if (KINDS[kind].test(name)) knownMembers.push({ ...member, kind });
    else {
      const allowed = kind === 'facts' ? `: ${FACTS_IN_PACKS}` : '';
      throw new PackError('unusable', `its member ${name} is not valid for the kind ${kind}${allowed}`);
    }
  }
  return { knownMembers, unknownMembers };
}

/** The layout of packs that this program writes, and the latest that it reads: see `FORMAT.md`. */
export const PACK_FORMAT = 1;

/** Maximum size that is read, regardless of the pack's declaration. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;
export const MAX_MEMBERS_BYTES = 256 * 1024 * 1024;
const MAX_MEMBERS = 1000;

/** Names of members: path segments of plain characters, none of which leaves the folder. */
const MEMBER_NAME = '^(?:[A-Za-z0-9][A-Za-z0-9._-]*/){0,4}[A-Za-z0-9][A-Za-z0-9._-]*$';

const MemberSchema = Type.Object({
  /** Kind of the member. Unknown kinds are skipped. */
  kind: Type.String({ pattern: '^[a-z][a-z0-9_]{0,31}$' }),
  name: Type.String({ pattern: MEMBER_NAME, maxLength: 128 }),
  bytes: Type.Integer({ minimum: 0, maximum: MAX_MEMBERS_BYTES }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const TimeSchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });

const ManifestSchema = Type.Object({
  format: Type.Literal(PACK_FORMAT),
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  /** Increases with each release; the higher version is the newer pack. */
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  created: TimeSchema,
  expires: TimeSchema,
  /** Minimum version of the program, such as 0.2.0. */
  needs: Type.Optional(Type.String({ pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$' })),
  /** Display name of the publisher, who is identified by the key alone. */
  publisher: Type.String({ minLength: 1, maxLength: 80 }),
  members: Type.Array(MemberSchema, { minItems: 1, maxItems: MAX_MEMBERS }),
});

/** The manifest of a pack. Unknown members are from a newer program and are ignored. */
export type Manifest = Static<typeof ManifestSchema>;

/** A file in a pack, as its manifest lists it. */
export type Member = Static<typeof MemberSchema>;

/** Parses a manifest. Throws a PackError if it is invalid or inconsistent. */
export function readPackManifest(bytes: Uint8Array): Manifest {
  const json = parseJson(decode(bytes));
  const format = typeof json === 'object' && json !== null && 'format' in json ? json.format : undefined;
  if (typeof format === 'number' && format > PACK_FORMAT) throw newerFormat(format);
  const shaped = readShape(ManifestSchema, json);
  if ('problem' in shaped) throw wrong(shaped.problem);
  const manifest = shaped.value;
  if (Number.isNaN(Date.parse(manifest.created)) || Number.isNaN(Date.parse(manifest.expires)))
    throw wrong('it has an invalid date');
  if (manifest.expires <= manifest.created) throw wrong('it expires before it was created');
  const names = manifest.members.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(`it names "${twice}" twice`);
  if (bytesOf(manifest) > MAX_MEMBERS_BYTES) throw wrong(`it promises more than ${MAX_MEMBERS_BYTES} bytes`);
  return manifest;
}

/** Returns the total size of all members, in bytes. */
export function bytesOf({ members }: Pick<Manifest, 'members'>): number {
  return members.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns the error for a pack that a newer program wrote. */
export function newerFormat(format: number): PackError {
  return new PackError(
    'newer_format',
    `it has format ${format}, and this program reads format ${PACK_FORMAT}: ask its publisher for one of format ${PACK_FORMAT}, or upgrade the program`,
  );
}

function wrong(problem: string): PackError {
  return new PackError('not_a_pack', `its manifest cannot be used: ${problem}`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PackError('not_a_pack', 'its manifest is not text', { cause });
  }
}
