import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readIfThere } from '#src/core/base/files/locked-file.ts';
import { replaceFile } from '#src/core/base/files/replace-file.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { type FusionModel, loadCarriedFusionModel, loadFusionModel, ModelError } from '#src/engine/fusion/model.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { type LexicalModel, loadLexicalModel } from '#src/engine/lexical/model.ts';
import { LexicalModelError } from '#src/engine/lexical/model-sections.ts';
import shippedFusion from '#src/engine/models/fusion.json' with { type: 'json' };

/** The two files that a model is made of, as bytes. */
export interface ModelFiles {
  /** As `lurecheck train` writes it. */
  readonly lexical: Uint8Array;
  /** Weights and thresholds, as JSON. */
  readonly fusion: Uint8Array;
}

/** A model, open. */
export interface OpenedModel {
  readonly lexical: LexicalModel;
  readonly fusion: FusionModel;
}

/** What is chosen to judge, and what was before that, the last first. Null stands for the model that is part of the program. */
export interface ModelChoice {
  readonly version: string | null;
  readonly before: readonly (string | null)[];
}

const LEXICAL_FILE = 'lexical.bin';
const FUSION_FILE = 'fusion.json';
const CHOICE_FILE = 'in-force.json';

/** In the file, what stands for the model that is part of the program; no version is written so. */
const SHIPPED = 'shipped';

/** How many choices can be taken back. */
const MAX_BEFORE = 20;

/** What a folder may be called by; the weights are named by whoever wrote them. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._]*-[0-9a-f]{8}$/;

const isChoice = objectWith({ version: isText, before: listWith(isText) });

/** The folder of the models that are kept, a folder each by its version. */
export function keptFolder(dataDir: string): string {
  return join(dataDir, 'models');
}

/** The file that says which model was chosen. */
export function modelChoiceFile(dataDir: string): string {
  return join(keptFolder(dataDir), CHOICE_FILE);
}

/** What answers call a model. */
export function versionOf({ lexical, fusion }: OpenedModel): string {
  return `${fusion.name}-${lexical.version}`;
}

/** What was chosen to judge. Throws a SettingsError where the file that says so holds something else. */
export function readModelChoice(dataDir: string): ModelChoice {
  const path = modelChoiceFile(dataDir);
  const text = readIfThere(path, 'model choices');
  if (text === null) return { version: null, before: [] };
  const json = parseJson(text);
  if (!isChoice(json))
    throw new SettingsError([`${path} does not say which model is in force: remove it, and choose anew`]);
  const meant = (version: string) => (version === SHIPPED ? null : version);
  return { version: meant(json.version), before: json.before.map(meant) };
}

/** Chooses what judges from now on, in one step. */
export async function writeModelChoice(dataDir: string, { version, before }: ModelChoice): Promise<void> {
  const written = { version: version ?? SHIPPED, before: before.slice(0, MAX_BEFORE).map((one) => one ?? SHIPPED) };
  await replaceFile(modelChoiceFile(dataDir), `${JSON.stringify(written)}\n`);
}

/** The versions of the models that are kept, in the order of their names. */
export async function keptVersions(dataDir: string): Promise<string[]> {
  const entries = await readdir(keptFolder(dataDir), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && VERSION.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Opens a model that is kept. Throws a SettingsError that says what is wrong with it. */
export async function openKeptModel(dataDir: string, version: string, knowledge: Knowledge): Promise<OpenedModel> {
  const folder = join(keptFolder(dataDir), version);
  const opened = openCarriedModel(await readModelFiles(folder), knowledge, folder);
  if (versionOf(opened) === version) return opened;
  throw new SettingsError([`the model in ${folder} is another, ${versionOf(opened)}`]);
}

/** The files of the model in a folder. Throws a SettingsError where one is missing. */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const [lexical, fusion] = await Promise.all([LEXICAL_FILE, FUSION_FILE].map((name) => readFile(join(folder, name))));
  if (lexical && fusion) return { lexical, fusion };
  throw new SettingsError([`there is no model in ${folder}: it takes ${LEXICAL_FILE} and ${FUSION_FILE}`]);
}

/** Opens a model that was written for this version and is at `place`. Throws a SettingsError that says what is wrong with it. */
export function openModelFiles(files: ModelFiles, knowledge: Knowledge, place: string): OpenedModel {
  return openAt(place, files, knowledge, (json) => loadFusionModel(json, FEATURE_NAMES, FUSION_FILE));
}

/** The same of a model that came in a pack or is kept, which may be of another version. */
export function openCarriedModel(files: ModelFiles, knowledge: Knowledge, place: string): OpenedModel {
  const own = loadFusionModel(shippedFusion, FEATURE_NAMES);
  return openAt(place, files, knowledge, (json) => loadCarriedFusionModel(json, own, FUSION_FILE));
}

function openAt(
  place: string,
  { lexical, fusion }: ModelFiles,
  knowledge: Knowledge,
  loadFusion: (json: unknown) => FusionModel,
): OpenedModel {
  try {
    const opened = {
      lexical: loadLexicalModel(lexical, knowledge),
      fusion: loadFusion(parseJson(new TextDecoder().decode(fusion))),
    };
    if (VERSION.test(versionOf(opened))) return opened;
    throw new ModelError(`it calls itself ${JSON.stringify(opened.fusion.name)}, which is no name for a folder`);
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof LexicalModelError)) throw error;
    throw new SettingsError([`the model in ${place} cannot be used: ${error.message}`], { cause: error });
  }
}

/** Keeps a model under its version, whole or not at all. Throws a SettingsError where another one has that version. */
export async function keepModel(dataDir: string, files: ModelFiles, version: string): Promise<void> {
  const folder = join(keptFolder(dataDir), version);
  if ((await keptVersions(dataDir)).includes(version)) {
    const kept = await readModelFiles(folder);
    if (Bun.deepEquals(kept, files)) return;
    throw new SettingsError([`another model called ${version} is kept: give the weights a name of their own`]);
  }
  const draft = join(keptFolder(dataDir), `.${version}.new`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await Bun.write(join(draft, LEXICAL_FILE), files.lexical);
  await Bun.write(join(draft, FUSION_FILE), files.fusion);
  await rename(draft, folder);
}

async function readFile(path: string): Promise<Uint8Array | null> {
  return await Bun.file(path)
    .bytes()
    .catch(() => null);
}
