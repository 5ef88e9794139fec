import { stampOf } from '#src/base/followed-file.ts';
import { visibleInTerminal } from '#src/base/foreign-text.ts';
import { stateFileIn } from '#src/lists/kept/list-state.ts';
import { packStateFile } from '#src/packs/pack-state.ts';
import { askControl } from '#src/program/control/ask-control.ts';
import type { DataFile } from '#src/program/file-faults.ts';
import { modelChoiceFile } from '#src/program/kept-models.ts';
import { brandsFileIn } from '#src/program/own-brands-file.ts';
import { keyFileIn } from '#src/server/keys/key-file.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Files of the data directory that commands change, by what the service calls them. */
const CHANGED_FILES = {
  keys: keyFileIn,
  lists: stateFileIn,
  brands: brandsFileIn,
  model: modelChoiceFile,
  packs: packStateFile,
} as const satisfies Partial<Record<DataFile, (dataDir: string) => string>>;

/**
 * Has the running service take a change up, and prints whether it is active. Returns 1 if the service refuses it.
 *
 * @param done what was changed, as the beginning of a sentence: `the key soc is created`
 */
export async function tellActive(
  done: string,
  dataDir: string,
  name: keyof typeof CHANGED_FILES,
  io: Pick<Io, 'stderr'>,
): Promise<ExitCode> {
  const state = await askControl(dataDir, 'POST /look');
  const file = state?.files[name];
  const [code, standing] = ((): [ExitCode, string] => {
    if (file === undefined) return [0, `no service is running on ${dataDir}; the next one uses it`];
    if (file.problem !== null) return [1, `the running service refuses it: ${file.problem}`];
    if (file.stamp !== stampOf(CHANGED_FILES[name](dataDir))) return [0, 'it was changed again meanwhile'];
    return [0, 'active in the running service'];
  })();
  await io.stderr.write(`lurecheck: ${visibleInTerminal(`${done}: ${standing}`)}\n`);
  return code;
}
