import { type ActivePack, type ActivePacks, NO_PACKS } from '#src/admin/active/active-packs.ts';
import {
  type InstalledPack,
  installedPackPath,
  type PackState,
  packStateOrProblem,
} from '#src/admin/active/pack-state.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import type { Manifest } from './manifest.ts';
import { type OpenPack, openPack, readSeal } from './open-pack.ts';
import { type PackContents, readContents } from './pack-contents.ts';
import { PackError } from './pack-error.ts';

/** An active pack with all that it contains. */
export interface PackWithContents extends ActivePack {
  readonly manifest: Manifest;
  readonly contents: PackContents;
}

/** Active packs with all that they contain. */
interface PacksWithContents extends ActivePacks {
  readonly packs: readonly PackWithContents[];
}

/** Returns the active packs with one more, which replaces the one of the same name. */
export function withActivePack(now: ActivePacks, pack: ActivePack): ActivePacks {
  const packs = [...now.packs.filter(({ installed }) => installed.name !== pack.installed.name), pack];
  return { ...now, packs, tables: tablesIn(packs) };
}

/** Opens the active packs, or those of another state. Unusable ones are reported and do not fail checks. */
export async function openActivePacks(
  dataDir: string,
  knowledge: Promise<Knowledge>,
  state: PackState | string = packStateOrProblem(dataDir),
): Promise<PacksWithContents> {
  if (typeof state === 'string') return { ...NO_PACKS, packs: [], problem: state };
  const packs: PackWithContents[] = [];
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
): Promise<PackWithContents> {
  const pack = await openInstalledFile(dataDir, installed);
  return { installed, manifest: pack.manifest, contents: await readContents(pack, knowledge) };
}

/** Opens an installed pack without its contents. Throws a PackError if it differs from the installed one. */
export async function openInstalledFile(dataDir: string, installed: InstalledPack): Promise<OpenPack> {
  const pack = openPack(await readSeal(installedPackPath(dataDir, installed)));
  if (pack.print === installed.print && pack.signer?.fingerprint === installed.signer) return pack;
  throw new PackError('damaged', 'it differs from the one that was installed');
}

function tablesIn(packs: readonly ActivePack[]): readonly ServerTable[] {
  return packs.flatMap(({ contents }) => contents.tables);
}
