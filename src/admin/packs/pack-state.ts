import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { readIfThere, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { Signer } from './seal.ts';

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

const PublisherSchema = Type.Object({
  name: Type.String(),
  fingerprint: Type.String(),
  /** As {@link Signer.key}. */
  key: Type.String(),
  /** Since when it is trusted, and since when no longer; null while it is. ISO 8601 UTC. */
  since: Type.String(),
  revoked: TextOrNull,
  /** The fingerprint of the key that it came in place of; null where the operator trusted it. */
  follows: TextOrNull,
});

const KeptPackSchema = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  /** SHA-256 of its manifest, in hexadecimal. */
  print: Type.String(),
  /** The fingerprint of the key that signed it. */
  signer: Type.String(),
  /** ISO 8601 UTC. */
  installed: Type.String(),
});

const HeldBackSchema = Type.Object({ name: Type.String(), version: Type.Integer() });

const PackStateSchema = Type.Object({
  layout: Type.Literal(1),
  publishers: Type.Array(PublisherSchema),
  in_force: Type.Array(KeptPackSchema),
  before: Type.Array(Type.Array(KeptPackSchema)),
  held_back: Type.Array(HeldBackSchema),
});

/** A key of a publisher of packs. */
export type Publisher = Readonly<Static<typeof PublisherSchema>>;

/** A pack that was installed. */
export type KeptPack = Readonly<Static<typeof KeptPackSchema>>;

/** Whose packs are trusted, and which are in force. */
export interface PackState {
  readonly publishers: readonly Publisher[];
  /** One of each name. */
  readonly inForce: readonly KeptPack[];
  /** What was in force before, the last first. */
  readonly before: readonly (readonly KeptPack[])[];
  /** What was taken back: no drop folder brings these again, nor older ones. */
  readonly heldBack: readonly Readonly<Static<typeof HeldBackSchema>>[];
}

const NOTHING: PackState = { publishers: [], inForce: [], before: [], heldBack: [] };

/** How many steps can be taken back. */
const MAX_BEFORE = 20;

/** The folder of the packs that are kept. */
export function packFolder(dataDir: string): string {
  return join(dataDir, 'packs');
}

/** The file that says which packs are in force. */
export function packStateFile(dataDir: string): string {
  return join(packFolder(dataDir), 'in-force.json');
}

/** Where a pack is kept, as it came. */
export function keptPackPath(dataDir: string, { name, version, print }: Pick<KeptPack, 'name' | 'version' | 'print'>) {
  return join(packFolder(dataDir), `${name}-${version}-${print.slice(0, 16)}.pack`);
}

/** Which packs are in force; none where there is no file. Throws SettingsError where it cannot be read, or holds something else. */
export function readPackState(dataDir: string): PackState {
  const path = packStateFile(dataDir);
  const text = readIfThere(path, 'packs');
  if (text === null) return NOTHING;
  const shaped = readShape(PackStateSchema, parseJson(text));
  if ('problem' in shaped)
    throw new SettingsError([`${path} does not say which packs are in force: ${shaped.problem}`]);
  const { publishers, in_force: inForce, before, held_back: heldBack } = shaped.value;
  return { publishers, inForce, before, heldBack };
}

/** Changes which packs are in force, in one step. Throws SettingsError as {@link readPackState}, and as the change does. */
export function changePackState(dataDir: string, change: (state: PackState) => PackState): PackState {
  let changed = NOTHING;
  replaceLocked(packStateFile(dataDir), 'packs', () => {
    changed = change(readPackState(dataDir));
    const { publishers, inForce: in_force, before, heldBack: held_back } = changed;
    return `${JSON.stringify({ layout: 1, publishers, in_force, before: before.slice(0, MAX_BEFORE), held_back })}\n`;
  });
  return changed;
}

/** The state in which a pack is in force, in place of the one of its name. */
export function withPack(state: PackState, pack: KeptPack): PackState {
  const others = state.inForce.filter(({ name }) => name !== pack.name);
  return {
    ...state,
    inForce: [...others, pack].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    before: [state.inForce, ...state.before],
    heldBack: state.heldBack.filter(({ name }) => name !== pack.name),
  };
}

/** The state in which no pack of a name is in force. */
export function withoutPack(state: PackState, name: string): PackState {
  return holdBack(state, {
    inForce: state.inForce.filter((one) => one.name !== name),
    before: [state.inForce, ...state.before],
  });
}

/** The state before the last change of what is in force; null where there is none. */
export function packsBefore(state: PackState): PackState | null {
  const [inForce, ...before] = state.before;
  return inForce === undefined ? null : holdBack(state, { inForce, before });
}

/** Of what is no longer in force, a drop folder brings none again. */
function holdBack(state: PackState, next: Pick<PackState, 'inForce' | 'before'>): PackState {
  const gone = state.inForce.filter((pack) => !next.inForce.some((kept) => Bun.deepEquals(kept, pack)));
  const names = new Set(gone.map(({ name }) => name));
  const heldBack = [
    ...state.heldBack.filter(({ name }) => !names.has(name)),
    ...gone.map(({ name, version }) => ({ name, version })),
  ];
  return { ...state, ...next, heldBack };
}

/** The state in which a key is trusted, also where it was revoked before. */
export function withPublisher(
  state: PackState,
  { name, fingerprint, key, since, follows = null }: Signer & { name: string; since: string; follows?: string | null },
): PackState {
  const others = state.publishers.filter((one) => one.fingerprint !== fingerprint);
  return { ...state, publishers: [...others, { name, fingerprint, key, since, revoked: null, follows }] };
}

/** The state in which a key is trusted no longer. */
export function withoutPublisher(state: PackState, fingerprint: string, revoked: string): PackState {
  const publishers = state.publishers.map((one) => (one.fingerprint === fingerprint ? { ...one, revoked } : one));
  return { ...state, publishers };
}
