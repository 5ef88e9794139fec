import { join } from 'node:path';
import {
  installedVersions,
  type ModelFiles,
  modelsFolder,
  openForeignModel,
  openInstalledModel,
  openModelFiles,
  readModelChoice,
  readModelFiles,
  versionOf,
} from '#src/admin/active/installed-models.ts';
import { asModels, openKnowledge, openShipped, shippedFiles } from '#src/admin/active/models.ts';
import { type CodedError, OperationError } from '#src/core/base/errors/operation-error.ts';
import { suggest } from '#src/core/base/text/edit-distance.ts';

/** The word for the model that is part of the program. */
export const SHIPPED = 'shipped';

/** A model, or an earlier choice of one, does not exist; the message says where to look. */
export class ModelNotFoundError extends Error implements CodedError {
  override readonly name = 'ModelNotFoundError';
  readonly errorCode = 'model_not_found';
  readonly clientText: string | null;

  constructor(message: string, clientText: string | null = null) {
    super(message);
    this.clientText = clientText;
  }
}

/** A model named by the operator. */
export interface FoundModel {
  /** Models without configured brands. */
  readonly models: ReturnType<typeof asModels>;
  readonly files: ModelFiles;
  /** True if it means the model of the program, which is replaced with the program. */
  readonly isShipped: boolean;
}

/**
 * Finds a model by its version, or the word {@link SHIPPED}.
 *
 * @param folder the folder of a model to be installed, if the name is neither; null for none
 * @throws ModelNotFoundError; OperationError if it cannot be used
 */
export async function findModel(dataDir: string, wanted: string, folder: string | null): Promise<FoundModel> {
  const knowledge = await openKnowledge();
  const shipped = await openShipped(knowledge);
  if (wanted === SHIPPED || wanted === versionOf(shipped)) {
    return { models: asModels(shipped, knowledge), files: await shippedFiles(), isShipped: wanted === SHIPPED };
  }
  const installed = await installedVersions(dataDir);
  const isInstalled = installed.includes(wanted);
  const place = isInstalled ? join(modelsFolder(dataDir), wanted) : folder;
  if (place === null) {
    const hint = suggest(wanted, [...installed, versionOf(shipped), SHIPPED]);
    throw new ModelNotFoundError(`model or folder not found: "${wanted}"${hint}; see lurecheck model list`);
  }
  const files = await readModelFiles(place);
  const opened = (isInstalled ? openForeignModel : openModelFiles)(files, knowledge, place);
  return { models: asModels(opened, knowledge), files, isShipped: false };
}

/** A model as it is listed. */
export interface ListedModel {
  readonly version: string;
  /** True if it is part of the program; it goes when the program is upgraded. */
  readonly isShipped: boolean;
  readonly isActive: boolean;
  /** Why the model cannot be used; null if it can. */
  readonly problem: string | null;
}

/** Returns the built-in model and the installed ones. Throws OperationError if the choice cannot be read. */
export async function listModels(dataDir: string): Promise<ListedModel[]> {
  const knowledge = await openKnowledge();
  const { version: chosen } = readModelChoice(dataDir);
  const shipped = versionOf(await openShipped(knowledge));
  const installed = await installedVersions(dataDir);
  return [
    { version: shipped, isShipped: true, isActive: chosen === null, problem: null },
    ...(await Promise.all(
      installed.map(async (version) => ({
        version,
        isShipped: false,
        isActive: version === chosen,
        problem: await openInstalledModel(dataDir, version, knowledge).then(() => null, problemOf),
      })),
    )),
  ];
}

function problemOf(error: unknown): string {
  if (error instanceof OperationError) return error.message;
  throw error;
}

/** Returns a model as programs read it. */
export function modelRow({ version, isShipped, isActive, problem }: ListedModel) {
  return { version, shipped: isShipped, in_force: isActive, problem };
}
