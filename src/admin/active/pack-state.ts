import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const PublisherSchema = Type.Object({
  name: Type.String(),
  fingerprint: Type.String(),
  /** As {@link Signer.key}. */
  key: Type.String(),
  /** When it was trusted and revoked (null if it was not), ISO 8601 UTC. */
  since: Type.String(),
  revoked: TextOrNull,
  /** Fingerprint of the key that it replaced; null if the operator trusted it. */
  follows: TextOrNull,
});

const InstalledPackSchema = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  /** SHA-256 of its manifest, in hexadecimal. */
  print: Type.String(),
  /** Fingerprint of the key that signed it. */
  signer: Type.String(),
  /** ISO 8601 UTC. */
  installed: Type.String(),
});

const WithdrawnSchema = Type.Object({ name: Type.String(), version: Type.Integer() });

const PackStateSchema = Type.Object({
  layout: Type.Literal(1),
  publishers: Type.Array(PublisherSchema),
  in_force: Type.Array(InstalledPackSchema),
  before: Type.Array(Type.Array(InstalledPackSchema)),
  held_back: Type.Array(WithdrawnSchema),
});

/** The key that signed a pack. */
export interface Signer {
  /** SHA-256 of its DER form, in hexadecimal. */
  readonly fingerprint: string;
  /** DER form (SubjectPublicKeyInfo) in base64. */
  readonly key: string;
}

/** A key of a publisher of packs. */
export type Publisher = Readonly<Static<typeof PublisherSchema>>;

/** An installed pack. */
export type InstalledPack = Readonly<Static<typeof InstalledPackSchema>>;

/** Trusted publishers and active packs. */
export interface PackState {
  readonly publishers: readonly Publisher[];
  /** At most one per name. */
  readonly active: readonly InstalledPack[];
  /** Earlier sets of active packs, latest first. */
  readonly before: readonly (readonly InstalledPack[])[];
  /** Withdrawn packs: the drop folder installs neither these nor older ones. */
  readonly withdrawn: readonly Readonly<Static<typeof WithdrawnSchema>>[];
}

const NOTHING: PackState = { publishers: [], active: [], before: [], withdrawn: [] };

/** Number of changes that can be rolled back. */
const MAX_BEFORE = 20;

/** Returns the folder of installed packs. */
export function packFolder(dataDir: string): string {
  return join(dataDir, 'packs');
}

/** Returns the path of the file that lists the active packs. */
export function packStateFile(dataDir: string): string {
  return join(packFolder(dataDir), 'in-force.json');
}

/** Returns the path of an installed pack. */
export function installedPackPath(
  dataDir: string,
  { name, version, print }: Pick<InstalledPack, 'name' | 'version' | 'print'>,
) {
  return join(packFolder(dataDir), `${name}-${version}-${print.slice(0, 16)}.pack`);
}

/** Returns the state of packs; an empty one without a file. Throws OperationError if the file cannot be read or is invalid. */
export function readPackState(dataDir: string): PackState {
  const path = packStateFile(dataDir);
  return readPackStateText(readIfExists(path, 'packs'), path);
}

/** Returns the state of packs, or why it cannot be read, in a sentence. */
export function packStateOrProblem(dataDir: string): PackState | string {
  try {
    return readPackState(dataDir);
  } catch (error) {
    if (error instanceof OperationError) return error.message;
    throw error;
  }
}

/** Parses the state of packs; null gives an empty one. Throws OperationError that names `path` if the text is invalid. */
export function readPackStateText(text: string | null, path: string): PackState {
  if (text === null) return NOTHING;
  const shaped = readShape(PackStateSchema, parseJson(text));
  if ('problem' in shaped)
    throw new OperationError('file_damaged', [`${path} does not name the active packs: ${shaped.problem}`]);
  const { publishers, in_force: active, before, held_back: withdrawn } = shaped.value;
  return { publishers, active, before, withdrawn };
}

/** Changes the state of packs atomically. Throws OperationError as {@link readPackState}, and any error of `change`. */
export function changePackState(dataDir: string, change: (state: PackState) => PackState): PackState {
  let changed = NOTHING;
  replaceLocked(packStateFile(dataDir), 'packs', () => {
    changed = change(readPackState(dataDir));
    const { publishers, active: in_force, before, withdrawn: held_back } = changed;
    return `${JSON.stringify({ layout: 1, publishers, in_force, before: before.slice(0, MAX_BEFORE), held_back })}\n`;
  });
  return changed;
}

/** Returns the state with a pack active, which replaces the one of the same name. */
export function withPack(state: PackState, pack: InstalledPack): PackState {
  const others = state.active.filter(({ name }) => name !== pack.name);
  return {
    ...state,
    active: [...others, pack].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    before: [state.active, ...state.before],
    withdrawn: state.withdrawn.filter(({ name }) => name !== pack.name),
  };
}

/** Returns the state without the pack of a name. */
export function withoutPack(state: PackState, name: string): PackState {
  return withdrawRemoved(state, {
    active: state.active.filter((one) => one.name !== name),
    before: [state.active, ...state.before],
  });
}

/** Returns the state before the last change of active packs; null if there is none. */
export function packsBefore(state: PackState): PackState | null {
  const [active, ...before] = state.before;
  return active === undefined ? null : withdrawRemoved(state, { active, before });
}

/** Marks packs that are no longer active as withdrawn. */
function withdrawRemoved(state: PackState, next: Pick<PackState, 'active' | 'before'>): PackState {
  const gone = state.active.filter((pack) => !next.active.some((remaining) => Bun.deepEquals(remaining, pack)));
  const names = new Set(gone.map(({ name }) => name));
  const withdrawn = [
    ...state.withdrawn.filter(({ name }) => !names.has(name)),
    ...gone.map(({ name, version }) => ({ name, version })),
  ];
  return { ...state, ...next, withdrawn };
}

/** Returns the state with a key trusted, even if it was revoked before. */
export function withPublisher(
  state: PackState,
  { name, fingerprint, key, since, follows = null }: Signer & { name: string; since: string; follows?: string | null },
): PackState {
  const others = state.publishers.filter((one) => one.fingerprint !== fingerprint);
  return { ...state, publishers: [...others, { name, fingerprint, key, since, revoked: null, follows }] };
}

/** Returns the state with a key revoked. */
export function withoutPublisher(state: PackState, fingerprint: string, revoked: string): PackState {
  const publishers = state.publishers.map((one) => (one.fingerprint === fingerprint ? { ...one, revoked } : one));
  return { ...state, publishers };
}
