import { relative } from 'node:path';
import { brandsFileIn, readConfiguredBrandsText } from '#src/admin/active/configured-brands-file.ts';
import { endedSessionsFileIn, mergeEndedTexts, readEndedText } from '#src/admin/keys/ended-sessions.ts';
import { keyFileIn, readKeyText } from '#src/admin/keys/key-file.ts';
import { modelChoiceFile, modelPaths, readModelChoiceText } from '#src/admin/models/installed-models.ts';
import { installedPackPath, packStateFile, readPackStateText } from '#src/admin/packs/pack-state.ts';
import { outcomeFileIn } from '#src/admin/rescore/stored-outcome.ts';
import type { SharedSet } from '#src/checks/store/postgres/shared/shared-set.ts';
import { readListStateText, stateFileIn } from '#src/network/lists/stored/list-state.ts';
import { listsFolder } from '#src/network/lists/stored/version-file.ts';

/** Stands for a data directory where only paths within it matter. */
const ROOT = '/';

const within = (path: string): string => relative(ROOT, path);

/** Makes the declaration of a set out of what names its files in a data directory. */
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
  /** What the last night's re-scoring came to, which one node does for all. */
  rescored: shared('rescored', outcomeFileIn, () => []),
} as const;

/** What one of {@link SHARED_SETS} is called. */
export type SharedName = keyof typeof SHARED_SETS;
