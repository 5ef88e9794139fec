import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { type FusionModel, loadForeignFusionModel, loadFusionModel, ModelError } from '#src/engine/fusion/model.ts';
import { type LexicalModel, loadLexicalModel } from '#src/engine/lexical/model.ts';
import { LexicalModelError } from '#src/engine/lexical/model-sections.ts';
import shippedFusion from '#src/engine/models/fusion.json' with { type: 'json' };

/** The two files of a model. */
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

/** The chosen model and earlier choices, latest first. Null is the built-in model. */
export interface ModelChoice {
  readonly version: string | null;
  readonly before: readonly (string | null)[];
}

const LEXICAL_FILE = 'lexical.bin';
const FUSION_FILE = 'fusion.json';
const CHOICE_FILE = 'in-force.json';

/** The built-in model in the file; no version looks like this. */
const SHIPPED = 'shipped';

/** Number of choices that can be rolled back. */
const MAX_BEFORE = 20;

/** Names of folders: the name that the author of a model chose, and a digest. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._]*-[0-9a-f]{8}$/;

const isChoice = objectWith({ version: isText, before: listWith(isText) });

/** Returns the folder of installed models, one folder per version. */
export function modelsFolder(dataDir: string): string {
  return join(dataDir, 'models');
}

/** Returns the path of the file with the chosen model. */
export function modelChoiceFile(dataDir: string): string {
  return join(modelsFolder(dataDir), CHOICE_FILE);
}

/** Returns the paths of the two files of an installed model. */
export function modelPaths(dataDir: string, version: string): readonly string[] {
  return [LEXICAL_FILE, FUSION_FILE].map((name) => join(modelsFolder(dataDir), version, name));
}

/** Returns the version of a model, as results show it. */
export function versionOf({ lexical, fusion }: OpenedModel): string {
  return `${fusion.name}-${lexical.version}`;
}

/** Returns the chosen model. Throws an OperationError if the file is invalid. */
export function readModelChoice(dataDir: string): ModelChoice {
  const path = modelChoiceFile(dataDir);
  return readModelChoiceText(readIfExists(path, 'model choices'), path);
}

/** Parses a choice; null gives the built-in model. Throws an OperationError that names `path`. */
export function readModelChoiceText(text: string | null, path: string): ModelChoice {
  if (text === null) return { version: null, before: [] };
  const json = parseJson(text);
  if (!isChoice(json))
    throw new OperationError('file_damaged', [
      `${path} does not name the active model: delete it and select the model again`,
    ]);
  const meant = (version: string) => (version === SHIPPED ? null : version);
  return { version: meant(json.version), before: json.before.map(meant) };
}

/**
 * Replaces the choice of a model atomically by what `change` makes of it.
 *
 * @throws OperationError if the file cannot be read or written; FileBusyError if another process is changing it
 */
export function changeModelChoice(dataDir: string, change: (choice: ModelChoice) => ModelChoice): void {
  replaceLocked(modelChoiceFile(dataDir), 'model choices', () => {
    const { version, before } = change(readModelChoice(dataDir));
    const written = { version: version ?? SHIPPED, before: before.slice(0, MAX_BEFORE).map((one) => one ?? SHIPPED) };
    return `${JSON.stringify(written)}\n`;
  });
}

/** Returns the versions of installed models, sorted. */
export async function installedVersions(dataDir: string): Promise<string[]> {
  const entries = await readdir(modelsFolder(dataDir), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && VERSION.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/** Opens an installed model. Throws an OperationError if it cannot be used. */
export async function openInstalledModel(dataDir: string, version: string, knowledge: Knowledge): Promise<OpenedModel> {
  const folder = join(modelsFolder(dataDir), version);
  const opened = openForeignModel(await readModelFiles(folder), knowledge, folder);
  if (versionOf(opened) === version) return opened;
  throw new OperationError('model_unusable', [`the model in ${folder} is ${versionOf(opened)}`]);
}

/** Reads the files of a model. Throws an OperationError if one is missing. */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const [lexical, fusion] = await Promise.all([LEXICAL_FILE, FUSION_FILE].map((name) => readFile(join(folder, name))));
  if (lexical && fusion) return { lexical, fusion };
  throw new OperationError('model_unusable', [`no model in ${folder}: expected ${LEXICAL_FILE} and ${FUSION_FILE}`]);
}

/** Opens a model that was trained for this version. Throws an OperationError if it cannot be used. */
export function openModelFiles(files: ModelFiles, knowledge: Knowledge, place: string): OpenedModel {
  return openAt(place, files, knowledge, (json) => loadFusionModel(json, FEATURE_NAMES, FUSION_FILE));
}

/** Opens a model from a pack or the data directory, which may be for another version. */
export function openForeignModel(files: ModelFiles, knowledge: Knowledge, place: string): OpenedModel {
  const own = loadFusionModel(shippedFusion, FEATURE_NAMES);
  return openAt(place, files, knowledge, (json) => loadForeignFusionModel(json, own, FUSION_FILE));
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
    throw new ModelError(`its name ${JSON.stringify(opened.fusion.name)} cannot be a folder name`);
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof LexicalModelError)) throw error;
    throw new OperationError('model_unusable', [`the model in ${place} cannot be used: ${error.message}`], {
      cause: error,
    });
  }
}

/** Installs a model under its version, atomically. Throws an OperationError if another one has that version. */
export async function installModel(dataDir: string, files: ModelFiles, version: string): Promise<void> {
  const folder = join(modelsFolder(dataDir), version);
  if ((await installedVersions(dataDir)).includes(version)) {
    const stored = await readModelFiles(folder);
    if (Bun.deepEquals(stored, files)) return;
    throw new OperationError('model_unusable', [
      `another model ${version} is installed: give the weights another name`,
    ]);
  }
  const draft = join(modelsFolder(dataDir), `.${version}.new`);
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
