import type { OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Manifest } from './manifest.ts';
import { type OpenPack, openPack } from './open-pack.ts';
import { PackError } from './pack-error.ts';
import { type KeptPack, keptPackPath, type PackState, readPackState } from './pack-state.ts';
import { readSeal } from './seal.ts';
import type { OpenedModel } from '#src/admin/models/installed-models.ts';
import { type PackContents, readContents } from './pack-contents.ts';

/** A pack that is in force, open. */
export interface PackInForce {
  readonly kept: KeptPack;
  readonly manifest: Manifest;
  readonly contents: PackContents;
}

/** Which packs are in force. */
export interface PacksOverview {
  readonly state: PackState;
  readonly packs: readonly Pick<PackInForce, 'kept' | 'manifest'>[];
  /** Those that are in force and cannot be used, and why. */
  readonly unusable: readonly { readonly kept: KeptPack; readonly problem: string }[];
  /** Why nobody knows which are in force, in a sentence; null where it is known. */
  readonly problem: string | null;
}

/** What packs say, as long as the operator says nothing else. */
export interface PacksInForce extends PacksOverview {
  readonly packs: readonly PackInForce[];
}

/** Where there are no packs. */
export const NO_PACKS: PacksInForce = {
  state: { publishers: [], inForce: [], before: [], heldBack: [] },
  packs: [],
  unusable: [],
  problem: null,
};

/** The packs without what they hold. */
export function overviewOf(packs: PacksInForce): PacksOverview {
  return { ...packs, packs: packs.packs.map(({ kept, manifest }) => ({ kept, manifest })) };
}

/** The packs in force once another one is, in place of the one of its name. */
export function withPackInForce(now: PacksInForce, pack: PackInForce): PacksInForce {
  return { ...now, packs: [...now.packs.filter(({ kept }) => kept.name !== pack.kept.name), pack] };
}

/** Opens the packs that are in force. One that cannot be used keeps no check from being answered: it is told. */
export async function openPacksInForce(
  dataDir: string,
  knowledge: Promise<Knowledge>,
  state = stateOf(dataDir),
): Promise<PacksInForce> {
  if (typeof state === 'string') return { ...NO_PACKS, problem: state };
  const packs: PackInForce[] = [];
  const unusable: { kept: KeptPack; problem: string }[] = [];
  for (const kept of state.inForce) {
    try {
      packs.push(await openKeptPack(dataDir, kept, await knowledge));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      unusable.push({ kept, problem: error.message });
    }
  }
  return { state, packs, unusable, problem: null };
}

/** Opens a pack that is kept, and all that it holds. Throws a PackError where it cannot be used, or is another. */
export async function openKeptPack(dataDir: string, kept: KeptPack, knowledge: Knowledge): Promise<PackInForce> {
  const pack = await openKept(dataDir, kept);
  return { kept, manifest: pack.manifest, contents: await readContents(pack, knowledge) };
}

/** Opens a pack that is kept, and reads nothing of what it holds. Throws a PackError where it is another. */
export async function openKept(dataDir: string, kept: KeptPack): Promise<OpenPack> {
  const pack = openPack(await readSeal(keptPackPath(dataDir, kept)));
  if (pack.print === kept.print && pack.signer?.fingerprint === kept.signer) return pack;
  throw new PackError('damaged', 'it is another than the one that was installed');
}

/** The model that a pack brought; null where none did. */
export function modelOfPacks({ packs }: PacksInForce): OpenedModel | null {
  return packs.find(({ contents }) => contents.model !== null)?.contents.model ?? null;
}

/** The thresholds that a pack brought; null where none did. */
export function thresholdsOfPacks({ packs }: PacksInForce): Thresholds | null {
  return packs.find(({ contents }) => contents.thresholds !== null)?.contents.thresholds ?? null;
}

/** Brands that packs brought beside those that the box was taught; of one name, the operator's own word holds. */
export function withBrandsOfPacks(own: readonly OwnBrand[], { packs }: PacksInForce): readonly OwnBrand[] {
  if (packs.length === 0) return own;
  const brands = new Map(
    [...packs.flatMap(({ contents }) => contents.brands), ...own].map((one) => [one.name.toLowerCase(), one]),
  );
  return [...brands.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function stateOf(dataDir: string): PackState | string {
  try {
    return readPackState(dataDir);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}
