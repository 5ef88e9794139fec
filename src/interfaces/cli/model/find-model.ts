import { join } from 'node:path';
import { asModels, openKnowledge, openShipped, shippedFiles } from '#src/admin/active/models.ts';
import {
  installedVersions,
  type ModelFiles,
  modelsFolder,
  openForeignModel,
  openModelFiles,
  readModelFiles,
  versionOf,
} from '#src/admin/models/installed-models.ts';
import { suggest } from '#src/core/base/text/suggest.ts';
import { UsageError } from '../command.ts';
import { pathKind } from '../named-paths.ts';

/** The word for the model that is part of the program. */
export const SHIPPED = 'shipped';

/** A model that somebody named. */
export interface FoundModel {
  /** Models without configured brands. */
  readonly models: ReturnType<typeof asModels>;
  readonly files: ModelFiles;
  /** True if it is meant as part of the program, to be replaced with it, rather than as the one that it is today. */
  readonly isShipped: boolean;
}

/**
 * Finds a model by its version, its folder, or the word {@link SHIPPED}.
 *
 * @throws UsageError where there is none; SettingsError where it cannot be used.
 */
export async function findModel(
  dataDir: string,
  wanted: string,
  resolvePath: (path: string) => string,
): Promise<FoundModel> {
  const knowledge = await openKnowledge();
  const shipped = await openShipped(knowledge);
  if (wanted === SHIPPED || wanted === versionOf(shipped)) {
    return { models: asModels(shipped, knowledge), files: await shippedFiles(), isShipped: wanted === SHIPPED };
  }
  const installed = await installedVersions(dataDir);
  const folder = installed.includes(wanted) ? join(modelsFolder(dataDir), wanted) : resolvePath(wanted);
  if ((await pathKind(folder)) !== 'folder') {
    const hint = suggest(wanted, [...installed, versionOf(shipped), SHIPPED]);
    throw new UsageError(`model or folder not found: "${wanted}"${hint}; see lurecheck model list`);
  }
  const files = await readModelFiles(folder);
  const opened = (installed.includes(wanted) ? openForeignModel : openModelFiles)(files, knowledge, folder);
  return { models: asModels(opened, knowledge), files, isShipped: false };
}
