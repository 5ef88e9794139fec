import { relative } from 'node:path';
import { brandsFileIn, readConfiguredBrandsText } from '#src/admin/active/configured-brands-file.ts';
import { modelChoiceFile, modelPaths, readModelChoiceText } from '#src/admin/active/installed-models.ts';
import { installedPackPath, packStateFile, readPackStateText } from '#src/admin/active/pack-state.ts';
import { keyFileIn, readKeyText } from '#src/admin/keys/api-key.ts';
import { endedSessionsFileIn, mergeEndedTexts, readEndedText } from '#src/admin/keys/ended-sessions.ts';
import type { SharedName } from '#src/checks/store/settings.ts';
import { listsFolder, readListStateText, stateFileIn } from '#src/network/lists/stored/list-state.ts';
import type { SharedSet } from '#src/parts/fleet/shared/last-sync.ts';
import { outcomeFileIn } from '#src/parts/tuning/rescore/nightly.ts';

/** Placeholder of a data directory if only paths within it matter. */
const ROOT = '/';

const within = (path: string): string => relative(ROOT, path);

/** Declares a set from functions that name its files in a data directory. */
function shared<const Name extends string>(
  name: Name,
  fileIn: (dataDir: string) => string,
  filesIn: (text: string) => readonly string[],
): SharedSet & { readonly name: Name } {
  return { name, path: within(fileIn(ROOT)), filesIn: (text) => filesIn(text).map(within) };
}

const DATABASE = 'the database';

/** Parts of the data directory that belong to a fleet. */
export const SHARED_SETS = {
  keys: shared('keys', keyFileIn, (text) => {
    readKeyText(text, DATABASE);
    return [];
  }),
  /** Sessions of the console that were ended on one node end on all. */
  sessions: {
    ...shared('sessions', endedSessionsFileIn, (text) => {
      readEndedText(text, DATABASE);
      return [];
    }),
    merge: mergeEndedTexts,
  },
  brands: shared('brands', brandsFileIn, (text) => {
    readConfiguredBrandsText(text, DATABASE);
    return [];
  }),
  lists: shared('lists', stateFileIn, (text) => {
    const { lists, before } = readListStateText(text, DATABASE);
    return [...lists, ...before.flatMap((state) => state.lists)].map(({ file }) => `${listsFolder(ROOT)}/${file}`);
  }),
  packs: shared('packs', packStateFile, (text) => {
    const { active, before } = readPackStateText(text, DATABASE);
    return [...active, ...before.flat()].map((pack) => installedPackPath(ROOT, pack));
  }),
  model: shared('model', modelChoiceFile, (text) => {
    const { version, before } = readModelChoiceText(text, DATABASE);
    return [version, ...before].flatMap((one) => (one === null ? [] : modelPaths(ROOT, one)));
  }),
  /** Outcome of the nightly re-scoring, which one node does for all. */
  rescored: shared('rescored', outcomeFileIn, () => []),
} as const satisfies Readonly<Record<SharedName, SharedSet>>;
