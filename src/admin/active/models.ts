import { readFileSync } from 'node:fs';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { IS_EXECUTABLE } from '#src/core/base/version.ts';
import { readPopularSites } from '#src/core/knowledge/hosts/popular-sites.ts';
import popularSites from '#src/core/knowledge/hosts/popular-sites.txt' with { type: 'text' };
import { type Knowledge, loadKnowledge } from '#src/core/knowledge/index.ts';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { type ConfiguredBrand, formatConfiguredBrands } from '#src/engine/analyzers/page/configured-brand.ts';
import { ASSESS_SETTINGS, type AssessSettings, assessSettings, type Models } from '#src/engine/assess/settings.ts';
import { loadFusionModel } from '#src/engine/fusion/model.ts';
import { loadLexicalModel } from '#src/engine/lexical/model.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { type ModelFiles, type OpenedModel, versionOf } from './installed-models.ts';

/** Returns a model that is ready to classify. */
export function asModels(opened: OpenedModel, knowledge: Knowledge): Models {
  return { ...opened, knowledge, configuredBrands: [], version: versionOf(opened) };
}

/** Opens the built-in model. */
export async function openShipped(facts: Knowledge | Promise<Knowledge>): Promise<OpenedModel> {
  // Bun.file() would count the bytes twice, and the start would wait for a collection of garbage.
  const file = readFileSync(lexicalPath);
  // What damages the executable damages its code as likely as the model inside it.
  const lexical = loadLexicalModel(file, await facts, IS_EXECUTABLE);
  return { lexical, fusion: loadFusionModel(fusionJson, FEATURE_NAMES) };
}

/** Returns the files of the built-in model. */
export async function shippedFiles(): Promise<ModelFiles> {
  const fusion = new TextEncoder().encode(`${JSON.stringify(fusionJson, null, 2)}\n`);
  return { lexical: await Bun.file(lexicalPath).bytes(), fusion };
}

/** Throws an OperationError for another model with the version of the built-in one. */
export async function refuseNameOfShipped({ lexical, fusion }: ModelFiles, version: string): Promise<void> {
  const [opened, own] = await Promise.all([openShipped(openKnowledge()), shippedFiles()]);
  const json = parseJson(new TextDecoder().decode(fusion));
  const isSame = Buffer.from(lexical).equals(own.lexical) && Bun.deepEquals(json, fusionJson);
  if (version !== versionOf(opened) || isSame) return;
  throw new OperationError('model_unusable', [`another model ${version} is built in: give the weights another name`]);
}

/** The same models beside other own brands; without any, as they are shipped. Takes a few milliseconds. */
export function withConfiguredBrands(models: Models, configuredBrands: readonly ConfiguredBrand[]): Models {
  if (models.configuredBrands.length === 0 && configuredBrands.length === 0) return models;
  const knowledge = models.knowledge.withConfigured(configuredBrands);
  const [shipped = ''] = models.version.split('+', 1);
  const version = configuredBrands.length === 0 ? shipped : `${shipped}+${printOf(configuredBrands)}`;
  return { ...models, knowledge, lexical: { ...models.lexical, knowledge }, configuredBrands, version };
}

/** Returns eight characters that identify a set of configured brands: hosts with the same brands give the same results. */
function printOf(configuredBrands: readonly ConfiguredBrand[]): string {
  return new Bun.CryptoHasher('sha256').update(formatConfiguredBrands(configuredBrands)).digest('hex').slice(0, 8);
}

/** Loads the built-in facts. */
export async function openKnowledge(): Promise<Knowledge> {
  return loadKnowledge(popularSites);
}

/** Returns the 10,000 most visited sites. */
export async function openPopularSites(): Promise<string[]> {
  return readPopularSites(popularSites).upTo(4);
}

/** Returns the default settings of verdicts. */
export function defaultAssessSettings(models: Models): AssessSettings {
  return assessSettings(defaultsOf(ASSESS_SETTINGS), models);
}
