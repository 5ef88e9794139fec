import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { namedFileProblem, readNamedFile } from '#src/core/base/files/named-file.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import type { Target } from '#src/core/url/target.ts';
import { type ParsedList, parseList } from './parse.ts';
import { type ListSettings, NamedListError } from './settings.ts';
import { NEVER } from './stored/entry-facts.ts';
import { SCHEME } from './stored/entry-keys.ts';
import { createEntryTable, type EntryTable, openEntryTable, type PackedTable } from './stored/entry-table.ts';
import { writeStoredEntry } from './stored/stored-entry.ts';

/** A list with the name that people know it by: its file's, without folders. */
export interface NamedList {
  readonly name: string;
  readonly index: ListIndex;
  /** Last change of its file, in milliseconds since the Unix epoch; null unless it is a file, such as for a pipe. */
  readonly changedAtMs: number | null;
}

/** The entries of a list that a setting names. */
export interface ReadNamedList extends Omit<NamedList, 'index'> {
  readonly list: ParsedList;
}

/** Maximum number of invalid lines in one message. */
const MAX_NAMED_LINES = 10;

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
export async function readNamedList(setting: keyof ListSettings, path: string): Promise<ReadNamedList> {
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

interface ListMatch {
  /** Its text in canonical form. */
  readonly entry: string;
  /** Its line in the list, counted from 1. */
  readonly line: number;
}

/** A list that answers whether a target is on it. */
interface ListIndex {
  readonly size: number;
  /** Identifies the content of the list. */
  readonly digest: string;
  /** The most specific entry that covers `target`: an address before a host, a longer one before a shorter; or null. */
  find(target: Target): ListMatch | null;
  /** See `EntryTable`. */
  readonly mayCover: EntryTable['mayCover'];
}

/** Content of a {@link ListIndex}, to be handed to another thread. */
export interface PackedIndex extends Pick<ListIndex, 'size' | 'digest'> {
  readonly table: PackedTable;
}

/** Indexes a list. */
export function indexList(list: ParsedList): ListIndex {
  return openListIndex(packList(list));
}

/** Returns the content of the index of a list. */
export function packList({ entries, digest }: ParsedList): PackedIndex {
  const table = createEntryTable();
  for (const { entry, line } of entries) {
    const text = Buffer.from(writeStoredEntry(entry), 'latin1');
    table.add(text, 0, text.length, { line, addedAt: 0, expiresAt: NEVER, isException: false });
  }
  return { size: entries.length, digest, table: table.pack() };
}

/** Opens an index on its content. */
export function openListIndex({ size, digest, table: packed }: PackedIndex): ListIndex {
  const table = openEntryTable(packed);
  return {
    size,
    digest,
    mayCover: table.mayCover,
    find(target) {
      const match = table.find(target, 0);
      if (match === null) return null;
      const { entry, line } = match;
      return { entry: entry.startsWith(SCHEME) ? entry.slice(SCHEME.length) : entry, line };
    },
  };
}
