import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { OpenedModel } from '#src/parts/tuning/models/installed-models.ts';
import type { Manifest } from './manifest.ts';
import { type OpenPack, openPack } from './open-pack.ts';
import { type PackContents, readContents } from './pack-contents.ts';
import { PackError } from './pack-error.ts';
import { type InstalledPack, installedPackPath, type PackState, readPackState } from './pack-state.ts';
import { readSeal } from './seal.ts';

/** An active pack with its contents. */
export interface ActivePack {
  readonly installed: InstalledPack;
  readonly manifest: Manifest;
  readonly contents: PackContents;
}

/** The active packs without their contents, but with their tables of facts. */
export interface PacksOverview {
  readonly state: PackState;
  readonly packs: readonly Pick<ActivePack, 'installed' | 'manifest'>[];
  /** The tables of facts of all of them; those of the program may be newer. */
  readonly tables: readonly ServerTable[];
  /** Active packs that cannot be used, each with the reason. */
  readonly unusable: readonly { readonly installed: InstalledPack; readonly problem: string }[];
  /** Why the state cannot be read, in a sentence; null if it can. */
  readonly problem: string | null;
}

/** The active packs with their contents. The operator's own choices take precedence. */
export interface ActivePacks extends PacksOverview {
  readonly packs: readonly ActivePack[];
}

/** No packs. */
export const NO_PACKS: ActivePacks = {
  state: { publishers: [], active: [], before: [], withdrawn: [] },
  packs: [],
  tables: [],
  unusable: [],
  problem: null,
};

/** Returns the packs without their contents. */
export function overviewOf(packs: ActivePacks): PacksOverview {
  return { ...packs, packs: packs.packs.map(({ installed, manifest }) => ({ installed, manifest })) };
}

/** Returns the active packs with one more, which replaces the one of the same name. */
export function withActivePack(now: ActivePacks, pack: ActivePack): ActivePacks {
  const packs = [...now.packs.filter(({ installed }) => installed.name !== pack.installed.name), pack];
  return { ...now, packs, tables: tablesIn(packs) };
}

/** Opens the active packs. Unusable ones are reported and do not fail checks. */
export async function openActivePacks(
  dataDir: string,
  knowledge: Promise<Knowledge>,
  state = stateOf(dataDir),
): Promise<ActivePacks> {
  if (typeof state === 'string') return { ...NO_PACKS, problem: state };
  const packs: ActivePack[] = [];
  const unusable: { installed: InstalledPack; problem: string }[] = [];
  for (const installed of state.active) {
    try {
      packs.push(await openInstalledPack(dataDir, installed, await knowledge));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      unusable.push({ installed, problem: error.message });
    }
  }
  return { state, packs, tables: tablesIn(packs), unusable, problem: null };
}

/** Opens an installed pack with its contents. Throws a PackError if it cannot be used or differs from the installed one. */
export async function openInstalledPack(
  dataDir: string,
  installed: InstalledPack,
  knowledge: Knowledge,
): Promise<ActivePack> {
  const pack = await openInstalledFile(dataDir, installed);
  return { installed, manifest: pack.manifest, contents: await readContents(pack, knowledge) };
}

/** Opens an installed pack without its contents. Throws a PackError if it differs from the installed one. */
export async function openInstalledFile(dataDir: string, installed: InstalledPack): Promise<OpenPack> {
  const pack = openPack(await readSeal(installedPackPath(dataDir, installed)));
  if (pack.print === installed.print && pack.signer?.fingerprint === installed.signer) return pack;
  throw new PackError('damaged', 'it differs from the one that was installed');
}

/** Returns the model of a pack; null if none has one. */
export function modelOfPacks({ packs }: ActivePacks): OpenedModel | null {
  return packs.find(({ contents }) => contents.model !== null)?.contents.model ?? null;
}

/** Returns the thresholds of a pack; null if none has any. */
export function thresholdsOfPacks({ packs }: ActivePacks): Thresholds | null {
  return packs.find(({ contents }) => contents.thresholds !== null)?.contents.thresholds ?? null;
}

/** Returns the brands of packs and the configured ones, which win if both have the same name. */
export function withBrandsOfPacks(own: readonly ConfiguredBrand[], { packs }: ActivePacks): readonly ConfiguredBrand[] {
  if (packs.length === 0) return own;
  const brands = new Map(
    [...packs.flatMap(({ contents }) => contents.brands), ...own].map((one) => [one.name.toLowerCase(), one]),
  );
  return [...brands.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function tablesIn(packs: readonly ActivePack[]): readonly ServerTable[] {
  return packs.flatMap(({ contents }) => contents.tables);
}

function stateOf(dataDir: string): PackState | string {
  try {
    return readPackState(dataDir);
  } catch (error) {
    if (error instanceof OperationError) return error.message;
    throw error;
  }
}
