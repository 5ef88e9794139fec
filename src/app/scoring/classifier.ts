import {
  type ActivePacks,
  modelOfPacks,
  NO_PACKS,
  overviewOf,
  type PacksOverview,
  thresholdsOfPacks,
  withBrandsOfPacks,
} from '#src/admin/active/active-packs.ts';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import type { DataFile } from '#src/admin/active/file-faults.ts';
import { type OpenedModel, openInstalledModel, readModelChoice } from '#src/admin/active/installed-models.ts';
import { asModels, openKnowledge, openShipped, withConfiguredBrands } from '#src/admin/active/models.ts';
import { packStateOrProblem } from '#src/admin/active/pack-state.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import { PART_SOURCES } from '../parts/part-basis.ts';

/** Opens the active packs; nothing that reads packs is loaded without any. Unusable ones are reported. */
export async function openPacks(dataDir: string, knowledge: Promise<Knowledge>): Promise<ActivePacks> {
  const state = packStateOrProblem(dataDir);
  if (typeof state === 'string') return { ...NO_PACKS, problem: state };
  if (state.active.length === 0) return { ...NO_PACKS, state };
  return await (await PART_SOURCES.openActivePacks())(dataDir, knowledge, state);
}

/** The active models, brands and packs. */
export interface Classifier {
  readonly models: Models;
  /** The configured brands alone, without those of packs. */
  readonly configuredBrands: readonly ConfiguredBrand[];
  /** Without contents, which are part of the models. */
  readonly packs: PacksOverview;
}

type ChangePacks = (packs: ActivePacks) => ActivePacks;

/** Replacement for model, brand and pack files that cannot be used, and the callback that reports them. */
export interface ClassifierFallback {
  /** The active classifier; null at startup. */
  readonly now: Classifier | null;
  onFault(file: DataFile, error: unknown): void;
}

/**
 * Opens the active models, tables and brands. The operator's choice precedes that of packs, which precedes what is built in.
 * Takes a few milliseconds: large files are not copied.
 *
 * @param change returns the packs to use instead of the active ones
 * @param fallback what replaces unusable files; without it they throw
 * @throws ModelError if the model does not fit this program; OperationError if a chosen one does not
 */
export async function openClassifier(
  dataDir: string,
  change?: ChangePacks,
  fallback: ClassifierFallback | null = null,
): Promise<Classifier> {
  const knowledge = await openKnowledge();
  const found = await openPacks(dataDir, Promise.resolve(knowledge));
  if (found.problem !== null) fallback?.onFault('packs', new OperationError('file_damaged', [found.problem]));
  const packs = change?.(found) ?? found;
  const configuredBrands = readOr(
    () => readConfiguredBrandsFile(dataDir),
    fallback &&
      ((error) => {
        fallback.onFault('brands', error);
        return fallback.now?.configuredBrands ?? [];
      }),
  );
  const opened = await openChosen(dataDir, knowledge, packs).catch((error) => {
    if (fallback === null) throw error;
    fallback.onFault('model', error);
    return fallback.now?.models ?? modelOfPacks(packs) ?? openShipped(knowledge);
  });
  const thresholds = thresholdsOfPacks(packs);
  const models = asModels(thresholds ? withThresholds(opened, thresholds) : opened, knowledge);
  return {
    models: withConfiguredBrands(models, withBrandsOfPacks(configuredBrands, packs)),
    configuredBrands,
    packs: overviewOf(packs),
  };
}

/** Replaces the thresholds of checks; the gate's stays that of the model. */
function withThresholds(opened: OpenedModel, thresholds: Thresholds): OpenedModel {
  const { fusion } = opened;
  return { ...opened, fusion: { ...fusion, thresholds: { ...fusion.thresholds, ...thresholds } } };
}

function readOr<T>(read: () => T, otherwise: ((error: unknown) => T) | null): T {
  try {
    return read();
  } catch (error) {
    if (otherwise === null) throw error;
    return otherwise(error);
  }
}

/** The models alone of {@link openClassifier}. */
export async function openModels(dataDir: string): Promise<Models> {
  return (await openClassifier(dataDir)).models;
}

async function openChosen(dataDir: string, knowledge: Knowledge, packs: ActivePacks): Promise<OpenedModel> {
  const { version } = readModelChoice(dataDir);
  if (version === null) return modelOfPacks(packs) ?? (await openShipped(knowledge));
  try {
    return await openInstalledModel(dataDir, version, knowledge);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const wayOut = 'choose another: lurecheck model list, or lurecheck model use shipped';
    throw new OperationError('model_unusable', [`${error.message}; ${wayOut}`], { cause: error });
  }
}
