import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { ListFileError } from '#src/network/lists/formats/list-format.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import {
  isListName,
  type ListChangeNote,
  type ListState,
  MAX_WEIGHT,
  OPERATOR,
  readListState,
  SOURCE,
  type StoredVersion,
  writeListState,
} from '#src/network/lists/stored/list-state.ts';
import { loadVersion } from '#src/network/lists/stored/load-version.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import { draftVersion, readVersion, type VersionRow } from '#src/network/lists/stored/version-file.ts';
import { entryTest } from './find-entries.ts';
import {
  type EntryChoice,
  type ListChange,
  type ListChanged,
  MAX_REPORTED,
  NO_EFFECT,
  NO_LINES,
} from './list-change.ts';
import { readInput } from './list-inputs.ts';
import { rolledBack } from './roll-back.ts';
import {
  createVersionWriter,
  formatText,
  linesText,
  removeUnused,
  unusableContent,
  type VersionCounts,
  withListsLock,
} from './write-version.ts';

/** Originator of a change, and the rules for it. */
export interface ListChanger {
  readonly dataDir: string;
  /** `operator`, `feedback`, or `pack` and its name. Lists of another owner cannot be changed. */
  readonly by: string;
  readonly guard: ListGuard;
  readonly nowMs: number;
}

/** Prepared lists that are not active yet. */
export interface PreparedLists {
  readonly now: ListState;
  readonly next: readonly StoredVersion[];
  readonly changed: readonly ListChanged[];
  /** Activates the lists atomically. Throws an OperationError if the lists were changed in the meantime. */
  commit(): Promise<ListState>;
  /** Removes the prepared files. */
  discard(): Promise<void>;
}

/** New versions of lists beside the active ones. */
export interface WrittenLists {
  readonly now: ListState;
  readonly next: ListState;
  readonly changed: readonly ListChanged[];
}

/**
 * Writes new versions of the lists beside the active ones.
 *
 * @throws OperationError that says why nothing can be changed
 */
export async function writeLists(changer: ListChanger, changes: readonly ListChange[]): Promise<WrittenLists> {
  const now = await readListState(changer.dataDir);
  let lists = now.lists;
  let { before } = now;
  const changed: ListChanged[] = [];
  const notes: ListChangeNote[] = [];
  for (const change of changes) {
    if (change.what === 'rollback') {
      const back = rolledBack({ ...now, lists, before }, change.list, changer.by);
      [lists, before] = [back.lists, back.before];
      changed.push(...back.changed);
      notes.push({ ...noted(changer, change.what, change.list), ...back.totals });
      continue;
    }
    const old = lists.find(({ name }) => name === change.list) ?? null;
    refuseForeign(old, changer.by, change);
    const made = change.what === 'remove' ? await remove(changer, old, change) : await take(changer, old, change);
    lists = [...lists.filter((one) => one !== old), ...(made.version ? [made.version] : [])].toSorted(byName);
    changed.push(made.changed);
    const { entries = 0, quarantined = 0, source = null } = made.version ?? {};
    notes.push({ ...noted(changer, change.what, change.list), entries, quarantined, source });
  }
  const isRollback = changes.some(({ what }) => what === 'rollback');
  // Scheduled imports must not displace the operator's changes from the rollback history.
  const isScheduled = changer.by === SOURCE;
  if (isScheduled) before = before.map((state) => ({ ...state, lists: withListsOf(SOURCE, state.lists, lists) }));
  const next: ListState = {
    revision: now.revision + 1,
    lists,
    before: isRollback || isScheduled ? before : [{ changed_by: changer.by, lists: now.lists }, ...before],
    history: [...notes.toReversed(), ...now.history],
  };
  return { now, next, changed };
}

/** Returns written lists to be activated or discarded. */
export function preparedLists(dataDir: string, { now, next, changed }: WrittenLists): PreparedLists {
  return {
    now,
    next: next.lists,
    changed,
    commit: () =>
      withListsLock(dataDir, async () => {
        if ((await readListState(dataDir)).revision !== now.revision) {
          throw new OperationError('changed_meanwhile', [
            'the lists were changed meanwhile: review the active lists and try again',
          ]);
        }
        await writeListState(dataDir, next);
        await removeUnused(dataDir);
        return next;
      }),
    discard: () => removeUnused(dataDir, new Set(next.lists.map(({ file }) => file))),
  };
}

interface Made {
  /** Null if the list was removed. */
  readonly version: StoredVersion | null;
  readonly changed: ListChanged;
}

type TakeChange = Extract<ListChange, { what: 'import' | 'add' }>;

async function take(changer: ListChanger, old: StoredVersion | null, change: TakeChange): Promise<Made> {
  const { dataDir, by, guard, nowMs } = changer;
  refuseNameOrWeight(change);
  if (change.what === 'add' && old && change.action !== null && change.action !== old.action) {
    throw new OperationError('list_refused', [
      `the action of the list ${old.name} is ${old.action}: use another list for another action`,
    ]);
  }
  const table = old && (await loadVersion(dataDir, old));
  const source = change.source ?? 'the command';
  using draft = draftVersion(dataDir, change.list);
  const writer = createVersionWriter(draft, {
    ...{ nowMs, guard, source, expiresAtMs: change.expiresAtMs, skipsInvalid: change.skipsInvalid === true },
    addedBefore: (entry) => table?.factsOf(entry)?.addedAt ?? null,
  });
  if (change.what === 'add' && old) for await (const rows of readVersion(dataDir, old.file)) rows.forEach(writer.take);
  const items = readInput(change.items);
  await readAll(source, () => writer.read(items));
  const format = 'format' in items ? items.format() : null;
  if (!change.mayBeEmpty) {
    const found = emptyReason(change, by, old, writer.counts);
    // An empty file has no format.
    if (found !== null)
      throw unusableContent(source, found.fault, `${found.rest}${found.hasLines ? formatText(format) : ''}`);
  }
  const version: StoredVersion = {
    name: change.list,
    action: change.action ?? old?.action ?? 'block',
    weight: change.weight === undefined ? (old?.weight ?? null) : change.weight,
    origin: by,
    // A scheduled import is called `it` in messages, and its place may contain a key.
    source: by === SOURCE ? null : change.what === 'import' ? change.source : (old?.source ?? null),
    changed_at: new Date(nowMs).toISOString(),
    ...draft.commit(),
    ...sizesOf(writer.counts),
  };
  return { version, changed: { ...changedBy(change, old, writer.counts), format: format?.name ?? null } };
}

async function remove(
  changer: ListChanger,
  old: StoredVersion | null,
  change: Extract<ListChange, { what: 'remove' }>,
): Promise<Made> {
  if (old === null)
    throw new OperationError('list_not_found', [`list not found: ${change.list}; see lurecheck lists show`]);
  if (change.entries === null) return { version: null, changed: changedBy(change, old, null) };
  const choice = choiceOf(change.entries);
  const removedEntries: string[] = [];
  let removed = 0;
  using draft = draftVersion(changer.dataDir, old.name);
  const rules = {
    nowMs: changer.nowMs,
    guard: changer.guard,
    source: old.name,
    expiresAtMs: null,
    addedBefore: () => null,
  };
  const writer = createVersionWriter(draft, rules);
  for await (const rows of readVersion(changer.dataDir, old.file)) {
    for (const row of rows) {
      if (!choice.isOne(row)) writer.take(row);
      else if (removed++ < MAX_REPORTED) removedEntries.push(row.entry);
    }
  }
  const [missing] = choice.missing();
  if (missing !== undefined) {
    throw new OperationError('entry_not_found', [
      `${missing} is not an entry of the list ${old.name}; lurecheck lists test prints what covers a URL`,
    ]);
  }
  if (removed === 0) throw new OperationError('entry_not_found', [`no entry of the list ${old.name} matches`]);
  const version = {
    ...old,
    changed_at: new Date(changer.nowMs).toISOString(),
    ...draft.commit(),
    ...sizesOf(writer.counts),
  };
  return { version, changed: { ...changedBy(change, old, writer.counts), removed, removedEntries } };
}

/** Returns the test for chosen entries, and which of the named ones it has not met. */
function choiceOf(entries: EntryChoice): {
  isOne(row: VersionRow): boolean;
  missing(): readonly string[];
} {
  if ('matching' in entries) {
    if (entries.matching.trim() === '')
      throw new OperationError('list_refused', ['a text is missing that finds the entries to remove']);
    return { isOne: entryTest(entries.matching), missing: () => [] };
  }
  const unwanted = new Set(
    entries.named.map((text) => {
      const read = readStoredEntry(text);
      if ('problem' in read) throw new OperationError('list_refused', [`"${text}" ${read.problem}`]);
      return writeStoredEntry(read);
    }),
  );
  const met = new Set<string>();
  return {
    isOne({ entry }) {
      if (unwanted.has(entry)) met.add(entry);
      return unwanted.has(entry);
    },
    missing: () => [...unwanted.difference(met)],
  };
}

/** Reads, and names the source in errors. */
async function readAll(source: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ListFileError)) throw error;
    throw unusableContent(source, error.message, '', error);
  }
}

function refuseNameOrWeight({ list, weight }: TakeChange): void {
  if (!isListName(list)) {
    throw new OperationError('list_refused', [
      `"${list}" is not a list name: expected at most 64 lower-case letters, digits, dots, hyphens and underscores, beginning with a letter or digit`,
    ]);
  }
  if (weight != null && !(weight > 0 && weight <= MAX_WEIGHT)) {
    throw new OperationError('list_refused', [
      `the weight of a list must be above 0 and at most ${MAX_WEIGHT}, not ${weight}`,
    ]);
  }
}

/** Refuses a change of a list that has another owner. */
function refuseForeign(old: StoredVersion | null, by: string, change: ListChange): void {
  if (old === null || old.origin === by) return;
  // The list of a source that was removed from the settings can only be removed by the operator.
  if (old.origin === SOURCE && by === OPERATOR && change.what === 'remove' && change.entries === null) return;
  const whose = old.origin === OPERATOR ? 'is the operator’s own' : `belongs to ${old.origin}`;
  throw new OperationError('list_refused', [
    `the list ${old.name} ${whose} and cannot be changed by ${by}: choose another name`,
  ]);
}

/** Returns earlier lists with the current ones of `origin`. */
function withListsOf(
  origin: string,
  earlier: readonly StoredVersion[],
  now: readonly StoredVersion[],
): StoredVersion[] {
  const isOf = (list: StoredVersion) => list.origin === origin;
  return [...earlier.filter((list) => !isOf(list)), ...now.filter(isOf)].toSorted(byName);
}

function sizesOf({
  entries,
  text_bytes,
  quarantined,
}: VersionCounts): Pick<StoredVersion, 'entries' | 'text_bytes' | 'quarantined'> {
  return { entries, text_bytes, quarantined };
}

/** Why an import is refused after which a list applies to nothing, as a damaged file would do; null if it is not. */
function emptyReason(
  change: TakeChange,
  by: string,
  old: StoredVersion | null,
  counts: VersionCounts,
): { readonly fault: string; readonly rest: string; readonly hasLines: boolean } | null {
  const { entries, exceptions, quarantined, quarantinedEntries, skipped, unread } = counts;
  const applied = change.what === 'import' ? entries - exceptions : entries;
  const wasEmpty = (old?.entries ?? 0) === 0;
  if (applied > 0 || (quarantined > 0 && (wasEmpty || change.what === 'add'))) return null;
  const held = quarantinedEntries.map(({ entry, line, why }) => ({ line, message: `${entry} ${whyHeldBack(why)}` }));
  const some = [{ first: held, count: quarantined }, unread, skipped].find(({ count }) => count > 0) ?? NO_LINES;
  const what = quarantined + exceptions > 0 ? 'has no entry that can be applied' : 'has no entry';
  const way = by === OPERATOR ? '; --allow-empty, in the API allow_empty, permits that' : '';
  const because = wasEmpty ? '' : `, because it would empty the list${way}`;
  return {
    fault: `${what}${expiredToo(counts)}`,
    rest: `${because}${linesText(some)}`,
    hasLines: some.count + exceptions > 0,
  };
}

function expiredToo({ expired }: VersionCounts): string {
  return expired > 0 ? ` that has not expired (${expired} have)` : '';
}

function changedBy(
  { what, list }: { what: ListChanged['what']; list: string },
  old: StoredVersion | null,
  counts: VersionCounts | null,
): ListChanged {
  const { text_bytes: _, exceptions: __, ...effect } = counts ?? {};
  return { list, what, entriesBefore: old?.entries ?? 0, ...NO_EFFECT, ...effect };
}

function noted({ nowMs, by }: ListChanger, what: ListChangeNote['what'], list: string | null) {
  return { at: new Date(nowMs).toISOString(), by, what, list, source: null };
}

function byName(a: StoredVersion, b: StoredVersion): number {
  return a.name < b.name ? -1 : 1;
}
