import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { type OwnBrand, writeOwnBrands } from '#src/engine/analyzers/page/configured-brand.ts';
import type { AssessSettings, Models } from '#src/engine/assess/models.ts';
import { ASSESS_SETTINGS, assessSettings } from '#src/engine/assess/settings.ts';
import { IS_EXECUTABLE } from '#src/core/base/is-executable.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { loadFusionModel } from '#src/engine/fusion/model.ts';
import { type Knowledge, loadKnowledge } from '#src/core/knowledge/index.ts';
import { readPopularSites } from '#src/core/knowledge/hosts/popular-sites.ts';
import popularSitesPath from '#src/core/knowledge/hosts/popular-sites.txt' with { type: 'file' };
import { loadLexicalModel } from '#src/engine/lexical/model.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import type { DataFile } from './file-faults.ts';
import { type ModelFiles, type OpenedModel, openKeptModel, readModelChoice, versionOf } from '#src/admin/models/installed-models.ts';
import { readOwnBrandsFile } from '#src/app/own-brands-file.ts';
import {
  modelOfPacks,
  openPacksInForce,
  overviewOf,
  type PacksInForce,
  type PacksOverview,
  thresholdsOfPacks,
  withBrandsOfPacks,
} from '#src/admin/packs/active-packs.ts';

/** What judges: the models, and what packs brought of that and of the brands. */
export interface Judging {
  readonly models: Models;
  /** The configured brands alone, without those of packs. */
  readonly ownBrands: readonly OwnBrand[];
  /** Without what they hold, which is in the models. */
  readonly packs: PacksOverview;
}

type ChangePacks = (packs: PacksInForce) => PacksInForce;

/** What classifies in place of files that cannot be used, and who is told of them. */
export interface JudgingFallback {
  /** What is active now; null at a start. */
  readonly now: Judging | null;
  onFault(file: DataFile, error: unknown): void;
}

/**
 * Opens the models and tables that are in force, and the brands that this box was taught. What the operator chose comes
 * before what a pack brought, and that before what is part of the program. Takes a few milliseconds: the large files are used
 * as they lie there.
 *
 * @param change what is to be thought of in place of the packs that are in force
 * @param fallback what replaces unusable files; without it they throw
 * @throws ModelError where the model files do not fit this program; SettingsError where those do not that were chosen.
 */
export async function openJudging(
  dataDir: string,
  change?: ChangePacks,
  fallback: JudgingFallback | null = null,
): Promise<Judging> {
  const knowledge = await openKnowledge();
  const found = await openPacksInForce(dataDir, Promise.resolve(knowledge));
  if (found.problem !== null) fallback?.onFault('packs', new SettingsError([found.problem]));
  const packs = change?.(found) ?? found;
  const ownBrands = readOr(
    () => readOwnBrandsFile(dataDir),
    fallback &&
      ((error) => {
        fallback.onFault('brands', error);
        return fallback.now?.ownBrands ?? [];
      }),
  );
  const opened = await openChosen(dataDir, knowledge, packs).catch((error) => {
    if (fallback === null) throw error;
    fallback.onFault('model', error);
    return fallback.now?.models ?? modelOfPacks(packs) ?? openShipped(knowledge);
  });
  const thresholds = thresholdsOfPacks(packs);
  const models = asModels(thresholds ? { ...opened, fusion: { ...opened.fusion, thresholds } } : opened, knowledge);
  return {
    models: withOwnBrands(models, withBrandsOfPacks(ownBrands, packs)),
    ownBrands,
    packs: overviewOf(packs),
  };
}

function readOr<T>(read: () => T, otherwise: ((error: unknown) => T) | null): T {
  try {
    return read();
  } catch (error) {
    if (otherwise === null) throw error;
    return otherwise(error);
  }
}

/** The models alone of {@link openJudging}. */
export async function openModels(dataDir: string): Promise<Models> {
  return (await openJudging(dataDir)).models;
}

/** A model, ready to judge. */
export function asModels(opened: OpenedModel, knowledge: Knowledge): Models {
  return { ...opened, knowledge, ownBrands: [], version: versionOf(opened) };
}

/** The model that is part of the program. */
export async function openShipped(facts: Knowledge | Promise<Knowledge>): Promise<OpenedModel> {
  const [file, knowledge] = await Promise.all([Bun.file(lexicalPath).arrayBuffer(), facts]);
  // What damages the executable damages its code as likely as the model inside it.
  const lexical = loadLexicalModel(file, knowledge, IS_EXECUTABLE);
  return { lexical, fusion: loadFusionModel(fusionJson, FEATURE_NAMES) };
}

/** The files of the model that is part of the program. */
export async function shippedFiles(): Promise<ModelFiles> {
  const fusion = new TextEncoder().encode(`${JSON.stringify(fusionJson, null, 2)}\n`);
  return { lexical: await Bun.file(lexicalPath).bytes(), fusion };
}

/** Throws a SettingsError for another model that has the version of the one that is part of the program. */
export async function refuseNameOfShipped({ lexical, fusion }: ModelFiles, version: string): Promise<void> {
  const [opened, own] = await Promise.all([openShipped(openKnowledge()), shippedFiles()]);
  const json = parseJson(new TextDecoder().decode(fusion));
  const isSame = Buffer.from(lexical).equals(own.lexical) && Bun.deepEquals(json, fusionJson);
  if (version !== versionOf(opened) || isSame) return;
  throw new SettingsError([
    `another model called ${version} is part of the program: give the weights a name of their own`,
  ]);
}

async function openChosen(dataDir: string, knowledge: Knowledge, packs: PacksInForce): Promise<OpenedModel> {
  const { version } = readModelChoice(dataDir);
  if (version === null) return modelOfPacks(packs) ?? (await openShipped(knowledge));
  try {
    return await openKeptModel(dataDir, version, knowledge);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const wayOut = 'choose another: lurecheck model list, or lurecheck model use shipped';
    throw new SettingsError([`${error.message}; ${wayOut}`], { cause: error });
  }
}

/** The same models beside other own brands; without any, as they are shipped. Takes a few milliseconds. */
export function withOwnBrands(models: Models, ownBrands: readonly OwnBrand[]): Models {
  if (models.ownBrands.length === 0 && ownBrands.length === 0) return models;
  const knowledge = models.knowledge.withTaught(ownBrands);
  const [shipped = ''] = models.version.split('+', 1);
  const version = ownBrands.length === 0 ? shipped : `${shipped}+${printOf(ownBrands)}`;
  return { ...models, knowledge, lexical: { ...models.lexical, knowledge }, ownBrands, version };
}

/** Two boxes that were taught the same answer the same; eight letters tell those from others that were not. */
function printOf(ownBrands: readonly OwnBrand[]): string {
  return new Bun.CryptoHasher('sha256').update(writeOwnBrands(ownBrands)).digest('hex').slice(0, 8);
}

/** The facts that are part of the program. */
export async function openKnowledge(): Promise<Knowledge> {
  return loadKnowledge(await Bun.file(popularSitesPath).bytes());
}

/** The ten thousand sites that most people visit. */
export async function openWellKnownSites(): Promise<string[]> {
  return readPopularSites(await Bun.file(popularSitesPath).bytes()).upTo(4);
}

/** How the models judge where the operator decides nothing else. */
export function defaultAssessSettings(models: Models): AssessSettings {
  return assessSettings(defaultsOf(ASSESS_SETTINGS), models);
}
