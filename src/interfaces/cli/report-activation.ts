import { brandsFileIn } from '#src/admin/active/configured-brands-file.ts';
import type { DataFile } from '#src/admin/active/file-faults.ts';
import { modelChoiceFile } from '#src/admin/active/installed-models.ts';
import { packStateFile } from '#src/admin/active/pack-state.ts';
import { keyFileIn } from '#src/admin/keys/api-key.ts';
import { askControl } from '#src/app/control/ask-control.ts';
import { stampOf } from '#src/core/base/files/followed-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { ExitCode } from './exit-codes.ts';

/** Files of the data directory that commands change, by what the service calls them. */
const CHANGED_FILES = {
  keys: keyFileIn,
  lists: stateFileIn,
  brands: brandsFileIn,
  model: modelChoiceFile,
  packs: packStateFile,
} as const satisfies Partial<Record<DataFile, (dataDir: string) => string>>;

type ReportingIo = Pick<Io, 'stderr' | 'isQuiet' | 'isOfFleet'>;

/**
 * Prints whether what a file says is active in the running service, as the service itself reports.
 *
 * @param what what the file holds, in the plural: `the keys`
 */
export async function reportState(
  what: string,
  dataDir: string,
  name: keyof typeof CHANGED_FILES,
  io: ReportingIo,
): Promise<void> {
  if (io.isQuiet) return;
  const { outcome, isUsed } = await packStatuses(dataDir, name, 'GET /state', io);
  await tell(`${what}: ${isUsed ? '' : 'not active: '}${outcome}`, io);
}

/**
 * Has the running service take a change up, and prints whether it is active. Returns 1 if the service refuses it.
 *
 * @param done what was changed, as the beginning of a sentence: `the key soc is created`
 */
export async function reportActivation(
  done: string,
  dataDir: string,
  name: keyof typeof CHANGED_FILES,
  io: ReportingIo,
): Promise<ExitCode> {
  const { outcome, isRefused } = await packStatuses(dataDir, name, 'POST /look', io);
  if (isRefused || !io.isQuiet) await tell(`${done}: ${outcome}`, io);
  return isRefused ? 1 : 0;
}

interface Standing {
  /** The end of a sentence. */
  readonly outcome: string;
  readonly isUsed: boolean;
  readonly isRefused: boolean;
}

async function packStatuses(
  dataDir: string,
  name: keyof typeof CHANGED_FILES,
  ask: Parameters<typeof askControl>[1],
  io: ReportingIo,
): Promise<Standing> {
  const file = (await askControl(dataDir, ask))?.files[name];
  const unused = { isUsed: false, isRefused: false };
  const path = CHANGED_FILES[name](dataDir);
  if (file === undefined) {
    if (io.isOfFleet) return { ...unused, outcome: 'all nodes of the fleet use it within two seconds', isUsed: true };
    return { ...unused, outcome: `no service is running on ${dataDir}; it takes effect at the next start` };
  }
  if (file.problem !== null)
    return { ...unused, outcome: `the running service refuses it: ${file.problem}`, isRefused: true };
  if (file.stamp !== stampOf(path)) return { ...unused, outcome: 'changed again in the meantime' };
  return { outcome: 'active in the running service', isUsed: true, isRefused: false };
}

async function tell(text: string, { stderr }: Pick<Io, 'stderr'>): Promise<void> {
  await stderr.write(`lurecheck: ${visibleInTerminal(text)}\n`);
}
