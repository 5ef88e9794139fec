import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedFileProblem, readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError, withAllProblems } from '#src/core/base/settings/settings-error.ts';
import { indexList, type ListIndex } from './list-index.ts';
import { type ParsedList, parseList } from './parse.ts';
import type { ListSettings } from './settings.ts';
import { openStoredLists, type StoredList } from './stored/stored-list.ts';

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

/** All lists of this node: the files that settings name, and the stored lists of the data directory. */
export interface LocalLists extends NamedLists {
  readonly stored: readonly StoredList[];
}

/** Lists that are in use, and may be replaced. */
export interface ReplaceableLists extends LocalLists {
  /** Replaces the given lists; the others stay. */
  replace(lists: Partial<LocalLists>): void;
}

/** Lets those who hold lists see other ones from a moment on. */
export function createReplaceableLists(lists: LocalLists): ReplaceableLists {
  let current = lists;
  return {
    get block() {
      return current.block;
    },
    get allow() {
      return current.allow;
    },
    get stored() {
      return current.stored;
    },
    replace(next) {
      current = { ...current, ...next };
    },
  };
}

/** Called for lists that cannot be used, which are left out then. */
export interface ListFaults {
  /** The stored lists, of which none is active. */
  onStored(error: unknown): void;
  /** A list that a setting names, by its {@link NamedList.name}. */
  onNamed(name: string, error: NamedListError): void;
}

/** A list that a setting names exists and cannot be read, or has invalid lines. */
export class NamedListError extends SettingsError {}

/**
 * Reads all lists of a node; unchanged lists of `known` are reused.
 *
 * @param faults called for lists that cannot be used; without it those throw
 * @throws SettingsError if a list cannot be read, with `faults` only if a setting names no file
 */
export async function openLists(
  settings: ListSettings & { readonly data_dir: string },
  { stored: known }: Pick<LocalLists, 'stored'> = { stored: [] },
  faults?: ListFaults,
): Promise<LocalLists> {
  const opening = openStoredLists(settings.data_dir, known);
  const [named, stored] = await withAllProblems([
    loadLists(settings, faults),
    faults
      ? opening.catch((error) => {
          faults.onStored(error);
          return [];
        })
      : opening,
  ]);
  return { ...named, stored };
}

/** Maximum number of invalid lines in one message. */
const MAX_NAMED_LINES = 10;

/**
 * Reads the lists that the settings name.
 *
 * @param faults called for a file that cannot be used, whose list is left out: half a list is no list
 * @throws SettingsError without `faults` if a file cannot be used; with it only if a path leads to no file, which is
 *   a mistake in the settings
 */
export async function loadLists(settings: ListSettings, faults?: Pick<ListFaults, 'onNamed'>): Promise<NamedLists> {
  const load = async (setting: keyof ListSettings) => {
    const lists = await withAllProblems(settings[setting].map((path) => loadList(setting, path, faults)));
    return lists.filter((list) => list !== null);
  };
  const [block, allow] = await withAllProblems([load('block_list'), load('allow_list')]);
  return { block, allow };
}

async function loadList(
  setting: keyof ListSettings,
  path: string,
  faults?: Pick<ListFaults, 'onNamed'>,
): Promise<NamedList | null> {
  try {
    const { name, list, changedAtMs } = await readNamedList(setting, path);
    return { name, index: indexList(list), changedAtMs };
  } catch (error) {
    if (!(faults && error instanceof NamedListError)) throw error;
    faults.onNamed(basename(path), error);
    return null;
  }
}

/** Error codes (errno(3)) of a path that leads to no file. */
const NO_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];

async function readListText(setting: keyof ListSettings, path: string): Promise<string> {
  try {
    return await readNamedFile(setting, path);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const { cause, problems } = error;
    const isSetWrong = cause instanceof Error && 'code' in cause && NO_FILE.includes(cause.code);
    throw isSetWrong ? error : new NamedListError(problems, { cause });
  }
}

/**
 * The entries of a list that a setting names. Throws SettingsError if it cannot be read, or a line is invalid.
 */
export async function readNamedList(
  setting: keyof ListSettings,
  path: string,
): Promise<Omit<NamedList, 'index'> & { readonly list: ParsedList }> {
  // Before it is read: of a file that is replaced at this very moment the age is rather too high.
  const changedAtMs = await changeOf(path);
  const list = parseList(await readListText(setting, path));
  if (list.problems.length > 0) {
    const named = list.problems.slice(0, MAX_NAMED_LINES).map(({ line, message }) => `\nline ${line}: ${message}`);
    const rest = list.problems.length - named.length;
    const what = `has lines that are neither a host nor a URL:${named.join('')}${rest > 0 ? `\nand ${rest} more` : ''}`;
    throw new NamedListError([namedFileProblem(setting, path, what)]);
  }
  return { name: basename(path), list, changedAtMs };
}

async function changeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.mtimeMs : null;
}
