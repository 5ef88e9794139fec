import { basename } from 'node:path';
import { systemClock } from '#src/base/clock.ts';
import { endOfDay } from '#src/base/end-of-day.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import type { ListFileItem } from '#src/lists/formats/list-format.ts';
import { MAX_LIST_BYTES, readListFile } from '#src/lists/formats/read-list-file.ts';
import type { ListChange, ListChanged } from '#src/lists/kept/list-change.ts';
import { LIST_ACTIONS, MAX_WEIGHT, OPERATOR } from '#src/lists/kept/list-state.ts';
import { changeKeptLists, prepareKeptLists } from '#src/program/kept-lists.ts';
import { choice, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { pathKind } from '../named-paths.ts';
import { changedText } from './changed-text.ts';
import type { ListsInvocation } from './lists-invocation.ts';
import { tellPreview } from './preview.ts';

/** `lurecheck lists import NAME FILE`: shows what it would have changed, asks, and puts it in force in one step. */
export async function importList(invocation: ListsInvocation, io: Io, name: string, path: string): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const isMeant = invocation.flag('yes');
  if (path === '-' && !isMeant)
    throw new UsageError('nobody can be asked while a list is read from there: write --yes');
  const change = {
    ...readWay(invocation),
    what: 'import',
    list: name,
    source: path === '-' ? 'stdin' : basename(path),
  } as const;
  const items = readListFile(await bytesOf(path, io), invocation.text('input') ?? null);
  const prepared = await prepareKeptLists(dataDir, OPERATOR, [{ ...change, items }]);
  let isDone = false;
  try {
    await tellPreview(invocation, io, prepared);
    if (!isMeant && !(await confirm(`Put ${name} in force?`, io))) {
      await io.stderr.write('lurecheck: nothing was changed\n');
      return 1;
    }
    await prepared.commit();
    isDone = true;
  } finally {
    if (!isDone) await prepared.discard();
  }
  await tell(io, `${name} is in force`);
  return 0;
}

/** `lurecheck lists add NAME ENTRY` */
export async function addEntry(invocation: ListsInvocation, io: Io, name: string, entry: string): Promise<ExitCode> {
  const items = entry === '-' ? readListFile(io.stdin, invocation.text('input') ?? null) : typed(entry, invocation);
  const change = { ...readWay(invocation), what: 'add', list: name, source: null, items } as const;
  const changed = await changeNow(invocation, io, [change]);
  const { added = 0, quarantined = 0, heldBack = [] } = changed[0] ?? {};
  const isHeldBack = added === 0 && quarantined > 0 && heldBack.length > 0;
  await tell(io, isHeldBack ? `${name} keeps it without applying it` : `${name} is in force`);
  return isHeldBack ? 1 : 0;
}

/** `lurecheck lists remove NAME [ENTRY]` */
export async function removeFrom(
  invocation: ListsInvocation,
  io: Io,
  name: string,
  entry: string | undefined,
): Promise<ExitCode> {
  await changeNow(invocation, io, [{ what: 'remove', list: name, entry: entry ?? null }]);
  await tell(io, entry === undefined ? `${name} is no more` : `${entry} is not on ${name} any more`);
  return 0;
}

/** `lurecheck lists rollback [NAME]` */
export async function rollBack(invocation: ListsInvocation, io: Io, name: string): Promise<ExitCode> {
  await changeNow(invocation, io, [{ what: 'rollback', list: name === '' ? null : name }]);
  await tell(io, `${name === '' ? 'the lists are' : `${name} is`} as before the last change`);
  return 0;
}

async function changeNow(
  { config }: ListsInvocation,
  io: Io,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  const changed = await changeKeptLists(config.data_dir, OPERATOR, changes);
  await io.stdout.write(changed.map(changedText).join(''));
  return changed;
}

async function tell(io: Io, what: string): Promise<void> {
  await io.stderr.write(`lurecheck: ${what}; a service that runs takes it up within two seconds\n`);
}

async function* typed(value: string, invocation: ListsInvocation): AsyncGenerator<readonly ListFileItem[]> {
  const comment = invocation.text('comment') ?? null;
  yield [{ value, comment, line: 1, expiresAtMs: null, source: null, isException: false }];
}

async function bytesOf(path: string, io: Io): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return io.stdin;
  if ((await pathKind(path)) !== 'file') throw new UsageError(`there is no file ${path}`);
  const file = Bun.file(path);
  // A pipe has no size, and is read until it is too large.
  if (file.size <= MAX_LIST_BYTES) return file.stream();
  throw new SettingsError([
    `${basename(path)} holds more than ${MAX_LIST_BYTES / 1024 / 1024} MiB; nothing was changed`,
  ]);
}

/** What the options say of the list and its entries. */
function readWay(
  invocation: ListsInvocation,
): Pick<Extract<ListChange, { items: unknown }>, 'action' | 'weight' | 'expiresAtMs'> {
  const weight = weightOf(invocation);
  return {
    action: choice(invocation, 'action', LIST_ACTIONS) ?? null,
    ...(weight !== undefined && { weight }),
    expiresAtMs: expiryOf(invocation),
  };
}

function weightOf(invocation: ListsInvocation): number | null | undefined {
  const text = invocation.text('weight');
  if (text === undefined) return undefined;
  if (text === 'final') return null;
  const weight = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (weight > 0 && weight <= MAX_WEIGHT) return weight;
  throw new UsageError(`--weight takes a number above 0 and up to ${MAX_WEIGHT}, or final, not "${text}"`);
}

function expiryOf(invocation: ListsInvocation): number | null {
  const day = invocation.text('expires');
  if (day === undefined) return null;
  const end = endOfDay(day);
  if (end === null) throw new UsageError(`--expires is "${day}", but must be a day, such as 2027-12-31`);
  const endMs = Date.parse(end);
  if (endMs <= systemClock.now()) throw new UsageError(`--expires is ${day}, which is over`);
  return endMs;
}
