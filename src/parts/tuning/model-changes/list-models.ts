import {
  installedVersions,
  openInstalledModel,
  readModelChoice,
  versionOf,
} from '#src/admin/active/installed-models.ts';
import { openKnowledge, openShipped } from '#src/admin/active/models.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';

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
