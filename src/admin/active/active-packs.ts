import type { ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import type { OpenedModel } from './installed-models.ts';
import type { InstalledPack, PackState } from './pack-state.ts';

/** An active pack with the contents that classify. */
export interface ActivePack {
  readonly installed: InstalledPack;
  /** Its own description; the time is ISO 8601 UTC. */
  readonly manifest: { readonly expires: string };
  readonly contents: {
    /** Null if the pack has none. */
    readonly model: OpenedModel | null;
    readonly brands: readonly ConfiguredBrand[];
    /** Null if the pack has none. */
    readonly thresholds: Thresholds | null;
    /** Tables of facts, used if they are newer than those of the program. */
    readonly tables: readonly ServerTable[];
  };
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
