import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceFile } from '#src/core/base/files/locked-file.ts';
import { type Guard, isText, listWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** Effect of a list on what it covers. */
export const LIST_ACTIONS = ['block', 'allow'] as const;

/** One of {@link LIST_ACTIONS}. */
export type ListAction = (typeof LIST_ACTIONS)[number];

/** The active version of a list, or an earlier one. */
export interface StoredVersion {
  readonly name: string;
  readonly action: ListAction;
  /** Weight that a hit adds for a block, or subtracts, in log-odds (nats); null if the list is final. */
  readonly weight: number | null;
  /** Whose it is, who alone changes it: `operator`, `feedback`, or `pack` and the name of one. */
  readonly origin: string;
  /** Name of its source file; null if it was made by hand. */
  readonly source: string | null;
  /** Time of its last change, in ISO 8601. */
  readonly changed_at: string;
  readonly file: string;
  readonly sha256: string;
  /** Number of applied entries, including exceptions, and bytes of their text. */
  readonly entries: number;
  readonly text_bytes: number;
  /** Number of entries that are stored without being applied. */
  readonly quarantined: number;
}

/** A recorded change. */
export interface ListChangeNote {
  readonly at: string;
  readonly by: string;
  readonly what: 'import' | 'add' | 'remove' | 'rollback';
  /** Name of the list; null if all lists were rolled back at once. */
  readonly list: string | null;
  readonly source: string | null;
  /** Number of entries after the change; 0 if the list was removed. */
  readonly entries: number;
  readonly quarantined: number;
}

/** The lists before a change, and who changed them. */
export interface PreviousLists {
  readonly changed_by: string;
  readonly lists: readonly StoredVersion[];
}

/** The active lists, earlier states, and the history of changes. */
export interface ListState {
  /** Counts the changes, so that concurrent changes are detected. */
  readonly revision: number;
  readonly lists: readonly StoredVersion[];
  /** The last first. */
  readonly before: readonly PreviousLists[];
  /** Grows only; the last first. */
  readonly history: readonly ListChangeNote[];
}

/** Maximum number of changes that can be rolled back, and that are shown. */
const [MAX_BEFORE, MAX_HISTORY] = [10, 1000];

/** Syntax of a list name, which is also the beginning of a file's name. */
const LIST_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const isName = textLike(LIST_NAME);
const isCount: Guard<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isAction: Guard<ListAction> = (value): value is ListAction => LIST_ACTIONS.some((one) => one === value);
const orNull =
  <T>(isOne: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || isOne(value);
const isWeight: Guard<number> = (value): value is number =>
  typeof value === 'number' && value > 0 && value <= MAX_WEIGHT;
const isWhat = textLike(/^(?:import|add|remove|rollback)$/) as Guard<ListChangeNote['what']>;

const isVersion = objectWith<StoredVersion>({
  name: isName,
  action: isAction,
  weight: orNull(isWeight),
  origin: isText,
  source: orNull(isText),
  changed_at: isText,
  file: textLike(/^[a-z0-9][a-z0-9._-]*\.list$/),
  sha256: textLike(/^[0-9a-f]{64}$/),
  entries: isCount,
  text_bytes: isCount,
  quarantined: isCount,
});

const isState = objectWith<ListState>({
  revision: isCount,
  lists: listWith(isVersion),
  before: listWith(objectWith<PreviousLists>({ changed_by: isText, lists: listWith(isVersion) })),
  history: listWith(
    objectWith<ListChangeNote>({
      at: isText,
      by: isText,
      what: isWhat,
      list: orNull(isName),
      source: orNull(isText),
      entries: isCount,
      quarantined: isCount,
    }),
  ),
});

/** The most that a list which does not decide by itself may add, in log-odds (nats). */
export const MAX_WEIGHT = 10;

/** Owner of the lists that the operator manages. */
export const OPERATOR = 'operator';

/** Owner of the lists that are imported on schedule from `list_sources`. */
export const SOURCE = 'source';

/** Returns true for a valid list name: lower-case letters, digits, dots, hyphens and underscores, at most 64. */
export function isListName(name: string): boolean {
  return LIST_NAME.test(name);
}

/** Returns the folder of the stored lists. */
export function listsFolder(dataDir: string): string {
  return join(dataDir, 'lists');
}

/** Returns the file with the state of the lists. */
export function stateFileIn(dataDir: string): string {
  return join(listsFolder(dataDir), 'in-force.json');
}

const NOTHING: ListState = { revision: 0, lists: [], before: [], history: [] };

/** Reads the state of the lists. Throws an OperationError if its file is invalid. */
export async function readListState(dataDir: string): Promise<ListState> {
  const path = stateFileIn(dataDir);
  return readListStateText(readIfExists(path, 'lists'), path);
}

/** Parses the state of the lists; empty for null. Throws an OperationError that names `path` if the text is invalid. */
export function readListStateText(text: string | null, path: string): ListState {
  if (text === null) return NOTHING;
  const json = parseJson(text);
  if (isState(json)) return json;
  throw new OperationError('file_damaged', [
    `${path} does not name the active lists: restore it from a backup, or delete it and import the lists again`,
  ]);
}

/** Replaces the state of the lists atomically. */
export async function writeListState(dataDir: string, state: ListState): Promise<void> {
  const { before, history } = state;
  const bounded = { ...state, before: before.slice(0, MAX_BEFORE), history: history.slice(0, MAX_HISTORY) };
  await replaceFile(stateFileIn(dataDir), `${JSON.stringify(bounded, null, 1)}\n`);
}
