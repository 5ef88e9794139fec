import { FEATURE_NAMES } from '#src/analyzers/index.ts';
import { type OwnBrand, writeOwnBrands } from '#src/analyzers/page/own-brand.ts';
import type { AssessSettings, Models } from '#src/assess/assess.ts';
import { ASSESS_SETTINGS, assessSettings } from '#src/assess/settings.ts';
import { IS_EXECUTABLE } from '#src/base/is-executable.ts';
import { defaultsOf } from '#src/base/setting.ts';
import { loadFusionModel } from '#src/fusion/model.ts';
import { type Knowledge, loadKnowledge } from '#src/knowledge/index.ts';
import popularSitesPath from '#src/knowledge/popular-sites.txt' with { type: 'file' };
import { type LexicalModel, loadLexicalModel } from '#src/lexical/model.ts';
import fusionJson from '#src/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/models/lexical.bin' with { type: 'file' };
import { readOwnBrandsFile } from './own-brands-file.ts';

/**
 * Opens the models and tables that are part of the program, and the brands that this box was taught. Takes a few
 * milliseconds: the large files are used as they lie there.
 *
 * @throws ModelError where the model files do not fit this program.
 */
export async function openModels(dataDir: string): Promise<Models> {
  const [{ knowledge, lexical }, ownBrands] = await Promise.all([openLexicalModel(), readOwnBrandsFile(dataDir)]);
  const fusion = loadFusionModel(fusionJson, FEATURE_NAMES);
  const shipped: Models = { knowledge, ownBrands: [], lexical, fusion, version: `${fusion.name}-${lexical.version}` };
  return withOwnBrands(shipped, ownBrands);
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

/** The lexical model that is part of the program, with the facts that it builds on. */
export async function openLexicalModel(): Promise<{ knowledge: Knowledge; lexical: LexicalModel }> {
  const [knowledge, file] = await Promise.all([openKnowledge(), Bun.file(lexicalPath).arrayBuffer()]);
  // What damages the executable damages its code as likely as the model inside it.
  return { knowledge, lexical: loadLexicalModel(file, knowledge, IS_EXECUTABLE) };
}

/** How the models judge where the operator decides nothing else. */
export function defaultAssessSettings(models: Models): AssessSettings {
  return assessSettings(defaultsOf(ASSESS_SETTINGS), models);
}
