import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { ListFileError } from '#src/network/lists/formats/read-list-file.ts';
import type { ListGuard } from '#src/network/lists/stored/guard.ts';
import { readKeptEntry, writeKeptEntry } from '#src/network/lists/stored/stored-entry.ts';
import { type ListChange, type ListChanged, NO_LINES } from './list-change.ts';
import { removeUnused, underLock } from './list-folder.ts';
import {
  isListName,
  type KeptVersion,
  type ListChangeNote,
  type ListState,
  MAX_WEIGHT,
  OPERATOR,
  readListState,
  SOURCE,
  writeListState,
} from '#src/network/lists/stored/list-state.ts';
import { loadVersion } from '#src/network/lists/stored/load-version.ts';
import { rolledBack } from './roll-back.ts';
import { draftVersion, readVersion } from '#src/network/lists/stored/version-file.ts';
import { createVersionWriter, type VersionCounts } from './write-version.ts';

/** Who changes the lists, and by what rules. */
export interface ListChanger {
  readonly dataDir: string;
  /** `operator`, `feedback`, or `pack` and the name of one: whose list another changes, nobody does silently. */
  readonly by: string;
  readonly guard: ListGuard;
  readonly nowMs: number;
}

/** What is about to be in force. */
export interface PreparedLists {
  readonly now: ListState;
  readonly next: readonly KeptVersion[];
  readonly changed: readonly ListChanged[];
  /** Puts it in force in one step. Throws a SettingsError where somebody changed the lists meanwhile. */
  commit(): Promise<ListState>;
  /** Removes what was written for it. */
  discard(): Promise<void>;
}

/** Changes the lists in one step: all that is asked for, or nothing. Throws a SettingsError that says why nothing was changed. */
export async function changeLists(
  changer: ListChanger,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  const prepared = await prepareLists(changer, changes);
  await prepared.commit();
  return prepared.changed;
}

/**
 * Writes what the lists are to be beside what is in force, which stays so.
 *
 * @throws SettingsError that says why nothing can be changed.
 */
export async function prepareLists(changer: ListChanger, changes: readonly ListChange[]): Promise<PreparedLists> {
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
  // What comes by itself takes no change of the operator out of reach.
  const isScheduled = changer.by === SOURCE;
  if (isScheduled) before = before.map((state) => ({ ...state, lists: withListsOf(SOURCE, state.lists, lists) }));
  const next: ListState = {
    revision: now.revision + 1,
    lists,
    before: isRollback || isScheduled ? before : [{ changed_by: changer.by, lists: now.lists }, ...before],
    history: [...notes.toReversed(), ...now.history],
  };
  return {
    now,
    next: lists,
    changed,
    commit: () =>
      underLock(changer.dataDir, async () => {
        if ((await readListState(changer.dataDir)).revision !== now.revision) {
          throw new SettingsError(['the lists were changed meanwhile: look at what is in force, and try again']);
        }
        await writeListState(changer.dataDir, next);
        await removeUnused(changer.dataDir);
        return next;
      }),
    discard: () => removeUnused(changer.dataDir, new Set(lists.map(({ file }) => file))),
  };
}

interface Made {
  /** Null where the list is no more. */
  readonly version: KeptVersion | null;
  readonly changed: ListChanged;
}

type TakeChange = Extract<ListChange, { what: 'import' | 'add' }>;

async function take(changer: ListChanger, old: KeptVersion | null, change: TakeChange): Promise<Made> {
  const { dataDir, by, guard, nowMs } = changer;
  refuseNameOrWeight(change);
  if (change.what === 'add' && old && change.action !== null && change.action !== old.action) {
    throw new SettingsError([
      `the list ${old.name} is there to ${old.action}: add what is to be otherwise to another list`,
    ]);
  }
  const table = old && (await loadVersion(dataDir, old));
  const source = change.source ?? 'what was typed';
  using draft = draftVersion(dataDir, change.list);
  const writer = createVersionWriter(draft, {
    ...{ nowMs, guard, source, expiresAtMs: change.expiresAtMs, skipsInvalid: change.skipsInvalid === true },
    addedBefore: (entry) => table?.factsOf(entry)?.addedAt ?? null,
  });
  if (change.what === 'add' && old) for await (const rows of readVersion(dataDir, old.file)) rows.forEach(writer.take);
  await readAll(source, () => writer.read(change.items));
  if (!change.mayBeEmpty && writer.counts.entries + writer.counts.quarantined === 0) {
    throw new SettingsError([`${source} holds no entry${expiredToo(writer.counts)}; nothing was changed`]);
  }
  const version: KeptVersion = {
    name: change.list,
    action: change.action ?? old?.action ?? 'block',
    weight: change.weight === undefined ? (old?.weight ?? null) : change.weight,
    origin: by,
    source: change.what === 'import' ? change.source : (old?.source ?? null),
    changed_at: new Date(nowMs).toISOString(),
    ...draft.keep(),
    ...sizesOf(writer.counts),
  };
  return { version, changed: changedBy(change, old, writer.counts) };
}

async function remove(
  changer: ListChanger,
  old: KeptVersion | null,
  change: Extract<ListChange, { what: 'remove' }>,
): Promise<Made> {
  if (old === null) throw new SettingsError([`there is no list ${change.list}; see lurecheck lists show`]);
  if (change.entry === null) return { version: null, changed: changedBy(change, old, null) };
  const read = readKeptEntry(change.entry);
  if ('problem' in read) throw new SettingsError([`"${change.entry}" ${read.problem}`]);
  const unwanted = writeKeptEntry(read);
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
    for (const row of rows) if (row.entry !== unwanted) writer.take(row);
  }
  const { entries, quarantined } = writer.counts;
  if (entries === old.entries && quarantined === old.quarantined) {
    throw new SettingsError([
      `${unwanted} is no entry of the list ${old.name}; lurecheck lists test tells what covers a URL`,
    ]);
  }
  const version = {
    ...old,
    changed_at: new Date(changer.nowMs).toISOString(),
    ...draft.keep(),
    ...sizesOf(writer.counts),
  };
  return { version, changed: changedBy(change, old, writer.counts) };
}

/** Reads, and says of which file it is that something is wrong. */
async function readAll(source: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ListFileError)) throw error;
    throw new SettingsError([`${source} ${error.message}; nothing was changed`], { cause: error });
  }
}

function refuseNameOrWeight({ list, weight }: TakeChange): void {
  if (!isListName(list)) {
    throw new SettingsError([
      `"${list}" is no name for a list: small letters, digits, dots, hyphens and underscores, at most 64, a letter or digit first`,
    ]);
  }
  if (weight != null && !(weight > 0 && weight <= MAX_WEIGHT)) {
    throw new SettingsError([`the weight of a list is above 0 and at most ${MAX_WEIGHT}, not ${weight}`]);
  }
}

/** The operator may take away what somebody else's list says, but nobody adds to it, and no one else changes the operator's. */
function refuseForeign(old: KeptVersion | null, by: string, change: ListChange): void {
  if (old === null || old.origin === by) return;
  // Of a source that the settings no longer name, nobody else would take it away.
  if (old.origin === SOURCE && by === OPERATOR && change.what === 'remove' && change.entry === null) return;
  const whose = old.origin === OPERATOR ? 'is the operator’s own' : `belongs to ${old.origin}`;
  throw new SettingsError([`the list ${old.name} ${whose}, and is not changed by ${by}: take another name`]);
}

/** Earlier lists with those of `origin` as they are now. */
function withListsOf(origin: string, earlier: readonly KeptVersion[], now: readonly KeptVersion[]): KeptVersion[] {
  const isOf = (list: KeptVersion) => list.origin === origin;
  return [...earlier.filter((list) => !isOf(list)), ...now.filter(isOf)].toSorted(byName);
}

function sizesOf({
  entries,
  text_bytes,
  quarantined,
}: VersionCounts): Pick<KeptVersion, 'entries' | 'text_bytes' | 'quarantined'> {
  return { entries, text_bytes, quarantined };
}

function expiredToo({ expired }: VersionCounts): string {
  return expired > 0 ? ` that has not expired (${expired} have)` : '';
}

function changedBy(
  { what, list }: { what: ListChanged['what']; list: string },
  old: KeptVersion | null,
  counts: VersionCounts | null,
): ListChanged {
  const {
    entries = 0,
    added = 0,
    expired = 0,
    repeated = 0,
    quarantined = 0,
    heldBack = [],
    leftOut = NO_LINES,
  } = counts ?? {};
  return {
    list,
    what,
    entriesBefore: old?.entries ?? 0,
    entries,
    added,
    expired,
    repeated,
    quarantined,
    heldBack,
    leftOut,
  };
}

function noted({ nowMs, by }: ListChanger, what: ListChangeNote['what'], list: string | null) {
  return { at: new Date(nowMs).toISOString(), by, what, list, source: null };
}

function byName(a: KeptVersion, b: KeptVersion): number {
  return a.name < b.name ? -1 : 1;
}
