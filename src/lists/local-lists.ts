import { basename } from 'node:path';
import { indexList, type ListIndex } from './list-index.ts';
import { parseList } from './parse.ts';
import type { ListSettings } from './settings.ts';

/** A list with the name that people know it by: its file's, without folders. */
export interface NamedList {
  readonly name: string;
  readonly index: ListIndex;
}

/** The operator's own lists. */
export interface LocalLists {
  readonly block: readonly NamedList[];
  readonly allow: readonly NamedList[];
}

/** A list cannot be used as it is; the message names file and lines. */
export class ListError extends Error {
  override readonly name = 'ListError';
  readonly code = 'list_invalid';
}

/** How many wrong lines are named at once. */
const MAX_NAMED_LINES = 10;

/** Reads all lists. Throws a {@link ListError} where a file is missing or a line is no entry: half a list is no list. */
export async function loadLists(settings: ListSettings): Promise<LocalLists> {
  return {
    block: await Promise.all(settings.block_list.map(loadList)),
    allow: await Promise.all(settings.allow_list.map(loadList)),
  };
}

async function loadList(path: string): Promise<NamedList> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new ListError(`the list ${path} does not exist`);
  const list = parseList(await file.text());
  if (list.problems.length > 0) {
    const named = list.problems.slice(0, MAX_NAMED_LINES).map(({ line, message }) => `line ${line}: ${message}`);
    const rest = list.problems.length - named.length;
    throw new ListError(
      `the list ${path} has lines that are no host or URL:\n${named.join('\n')}${rest > 0 ? `\nand ${rest} more` : ''}`,
    );
  }
  return { name: basename(path), index: indexList(list) };
}
