import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedFileProblem, readNamedFile } from '#src/base/named-file.ts';
import { SettingsError, withAllProblems } from '#src/base/settings-error.ts';
import { type KeptList, openKeptLists } from './kept/kept-list.ts';
import { indexList, type ListIndex } from './list-index.ts';
import { type ParsedList, parseList } from './parse.ts';
import type { ListSettings } from './settings.ts';

/** A list with the name that people know it by: its file's, without folders. */
export interface NamedList {
  readonly name: string;
  readonly index: ListIndex;
  /** When its file was last changed, in milliseconds since the Unix epoch; null for what is no file, such as a pipe. */
  readonly changedAtMs: number | null;
}

/** The lists of files that the settings name. */
export interface NamedLists {
  readonly block: readonly NamedList[];
  readonly allow: readonly NamedList[];
}

/** All lists of this box: of the files that the settings name, and those that are kept in the data directory. */
export interface LocalLists extends NamedLists {
  readonly kept: readonly KeptList[];
}

/** Lists that are in use, and may be replaced. */
export interface ReplaceableLists extends LocalLists {
  /** Those that are not given stay. */
  replace(lists: Partial<LocalLists>): void;
}

/** Lets those who hold lists see other ones from a moment on. */
export function replaceable(lists: LocalLists): ReplaceableLists {
  let current = lists;
  return {
    get block() {
      return current.block;
    },
    get allow() {
      return current.allow;
    },
    get kept() {
      return current.kept;
    },
    replace(next) {
      current = { ...current, ...next };
    },
  };
}

/**
 * Reads all lists of a box; those of `known` that have not changed are taken over.
 *
 * @param onFault called if the stored lists cannot be used, of which none is active then; without it that throws
 * @throws SettingsError where one cannot be read.
 */
export async function openLists(
  settings: ListSettings & { readonly data_dir: string },
  { kept: known }: Pick<LocalLists, 'kept'> = { kept: [] },
  onFault?: (error: unknown) => void,
): Promise<LocalLists> {
  const stored = openKeptLists(settings.data_dir, known);
  const [named, kept] = await withAllProblems([
    loadLists(settings),
    onFault
      ? stored.catch((error) => {
          onFault(error);
          return [];
        })
      : stored,
  ]);
  return { ...named, kept };
}

/** How many wrong lines are named at once. */
const MAX_NAMED_LINES = 10;

/**
 * Reads the lists that the settings name.
 *
 * @throws SettingsError where a file cannot be read, or a line is no entry: half a list is no list.
 */
export async function loadLists(settings: ListSettings): Promise<NamedLists> {
  const load = (setting: keyof ListSettings) =>
    withAllProblems(settings[setting].map((path) => loadList(setting, path)));
  const [block, allow] = await withAllProblems([load('block_list'), load('allow_list')]);
  return { block, allow };
}

async function loadList(setting: keyof ListSettings, path: string): Promise<NamedList> {
  const { name, list, changedAtMs } = await readNamedList(setting, path);
  return { name, index: indexList(list), changedAtMs };
}

/** The entries of a list that a setting names. Throws a SettingsError where it cannot be read, or a line is no entry. */
export async function readNamedList(
  setting: keyof ListSettings,
  path: string,
): Promise<Omit<NamedList, 'index'> & { readonly list: ParsedList }> {
  // Before it is read: of a file that is replaced at this very moment the age is rather too high.
  const changedAtMs = await changeOf(path);
  const list = parseList(await readNamedFile(setting, path));
  if (list.problems.length > 0) {
    const named = list.problems.slice(0, MAX_NAMED_LINES).map(({ line, message }) => `\nline ${line}: ${message}`);
    const rest = list.problems.length - named.length;
    const what = `has lines that are no host or URL:${named.join('')}${rest > 0 ? `\nand ${rest} more` : ''}`;
    throw new SettingsError([namedFileProblem(setting, path, what)]);
  }
  return { name: basename(path), list, changedAtMs };
}

async function changeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.mtimeMs : null;
}
