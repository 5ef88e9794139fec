import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { audited } from '#src/admin/audit/audit-log.ts';
import { auditOfChange } from '#src/admin/lists/audit-of-change.ts';
import type { PreparedLists } from '#src/admin/lists/change-lists.ts';
import type { ListChange, ListChanged } from '#src/admin/lists/list-change.ts';
import { prepareStoredLists } from '#src/admin/lists/stored-lists.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { endOfDay } from '#src/core/base/end-of-day.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { MAX_LIST_BYTES, readListFile } from '#src/network/lists/formats/read-list-file.ts';
import { LIST_ACTIONS, MAX_WEIGHT, OPERATOR } from '#src/network/lists/stored/list-state.ts';
import { choice, UsageError } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { ExitCode } from '../exit-codes.ts';
import { reportActivation } from '../report-activation.ts';
import { changedText } from './changed-text.ts';
import type { ListsInvocation } from './lists-invocation.ts';
import { printPreview } from './preview.ts';

/** `lurecheck lists import NAME FILE`: previews the effect, asks for confirmation, and activates the list in one step. */
export async function importList(invocation: ListsInvocation, io: Io, name: string, path: string): Promise<ExitCode> {
  const { data_dir: dataDir } = invocation.config;
  const isConfirmed = invocation.flag('yes');
  if (path === '-' && !isConfirmed) throw new UsageError('confirmation required, but stdin holds the list: pass --yes');
  const change = {
    ...readWay(invocation),
    what: 'import',
    list: name,
    skipsInvalid: invocation.flag('skip-invalid'),
    mayBeEmpty: invocation.flag('allow-empty'),
    source: sourceOf(path),
  } as const;
  const items = readListFile(await bytesOf(path, invocation, io), invocation.text('input') ?? null);
  const prepared = await prepareStoredLists(dataDir, OPERATOR, [{ ...change, items }]);
  const whole = { ...change, items };
  return await previewed(invocation, io, {
    ...{ change: whole, prepared, question: `Activate ${name}?`, said: `${name} is imported` },
  });
}

/** A prepared change that is made once it is confirmed. */
interface PreviewedChange {
  readonly change: ListChange;
  readonly prepared: PreparedLists;
  readonly question: string;
  /** Text to print after the change. */
  readonly said: string;
}

/** Prints the effect of a prepared change, asks for confirmation, and makes it. */
async function previewed(invocation: ListsInvocation, io: Io, order: PreviewedChange): Promise<ExitCode> {
  const { change, prepared, question, said } = order;
  const { data_dir: dataDir } = invocation.config;
  let isDone = false;
  try {
    await printPreview(invocation, io, prepared);
    if (!invocation.flag('yes') && !(await confirm(question, io))) {
      await io.stderr.write('lurecheck: cancelled, nothing was changed\n');
      return 1;
    }
    await audited(dataDir, invocation.actor, auditOfChange(change, prepared), prepared.commit);
    isDone = true;
  } finally {
    if (!isDone) await prepared.discard();
  }
  return await reportActivation(said, dataDir, 'lists', io);
}

/** `lurecheck lists add NAME ENTRY` */
export async function addEntry(invocation: ListsInvocation, io: Io, name: string, entry: string): Promise<ExitCode> {
  const items = entry === '-' ? readListFile(io.stdin, invocation.text('input') ?? null) : typed(entry, invocation);
  const change = { ...readWay(invocation), what: 'add', list: name, source: null, items } as const;
  const changed = await changeNow(invocation, io, change);
  const { added = 0, quarantined = 0, quarantinedEntries = [] } = changed[0] ?? {};
  if (added === 0 && quarantined > 0 && quarantinedEntries.length > 0) {
    await io.stderr.write(`lurecheck: ${name}: ${visibleInTerminal(entry)} is quarantined, not applied\n`);
    return 1;
  }
  return await reportActivation(`${name} is changed`, invocation.config.data_dir, 'lists', io);
}

/** `lurecheck lists remove NAME [ENTRY]`; with `--search` all that a text finds, after a preview and a confirmation. */
export async function removeFrom(
  invocation: ListsInvocation,
  io: Io,
  name: string,
  entry: string | undefined,
): Promise<ExitCode> {
  const matching = invocation.text('search');
  if (matching !== undefined) {
    if (entry !== undefined) throw new UsageError('--search replaces ENTRY: give one of both');
    const change: ListChange = { what: 'remove', list: name, entries: { matching } };
    const prepared = await prepareStoredLists(invocation.config.data_dir, OPERATOR, [change]);
    const question = `Remove these entries from ${name}?`;
    return await previewed(invocation, io, { change, prepared, question, said: `${name} is changed` });
  }
  const entries = entry === undefined ? null : { named: [entry] };
  await changeNow(invocation, io, { what: 'remove', list: name, entries });
  const said = entry === undefined ? `${name} is removed` : `${entry} is removed from ${name}`;
  return await reportActivation(said, invocation.config.data_dir, 'lists', io);
}

/** `lurecheck lists rollback [NAME]` */
export async function rollBack(invocation: ListsInvocation, io: Io, name: string): Promise<ExitCode> {
  await changeNow(invocation, io, { what: 'rollback', list: name === '' ? null : name });
  const said = `${name === '' ? 'the lists are' : `${name} is`} rolled back to before the last change`;
  return await reportActivation(said, invocation.config.data_dir, 'lists', io);
}

async function changeNow(
  { config, actor }: ListsInvocation,
  io: Io,
  change: ListChange,
): Promise<readonly ListChanged[]> {
  const prepared = await prepareStoredLists(config.data_dir, OPERATOR, [change]);
  const { changed } = prepared;
  await audited(config.data_dir, actor, auditOfChange(change, prepared), prepared.commit);
  await io.stdout.write(changed.map(changedText).join(''));
  return changed;
}

function typed(value: string, invocation: ListsInvocation): readonly ListFileItem[] {
  const comment = invocation.text('comment') ?? null;
  return [{ value, comment, line: 1, expiresAtMs: null, source: null, isException: false }];
}

/** Returns the source of a list in its history; a descriptor's path has no meaning after this process. */
function sourceOf(path: string): string {
  if (path === '-') return 'stdin';
  return /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path) ? 'stream' : basename(path);
}

async function bytesOf(path: string, { resolvePath }: ListsInvocation, io: Io): Promise<AsyncIterable<Uint8Array>> {
  if (path === '-') return io.stdin;
  const found = await stat(resolvePath(path)).catch(() => null);
  if (found === null) throw new UsageError(`file not found: ${path}`);
  if (found.isDirectory()) throw new UsageError(`${path} is a directory; expected a file`);
  // A pipe has no size, and is read until it is too large.
  if (!found.isFile()) return createReadStream(resolvePath(path));
  if (found.size <= MAX_LIST_BYTES) return Bun.file(resolvePath(path)).stream();
  throw new OperationError('list_content', [
    `${basename(path)} is larger than ${MAX_LIST_BYTES / 1024 / 1024} MiB; nothing was changed`,
  ]);
}

/** Reads the options about the list and its entries. */
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
  throw new UsageError(`--weight must be a number above 0 and up to ${MAX_WEIGHT}, or final, not "${text}"`);
}

function expiryOf(invocation: ListsInvocation): number | null {
  const day = invocation.text('expires');
  if (day === undefined) return null;
  const end = endOfDay(day);
  if (end === null) throw new UsageError(`--expires is "${day}", but must be a day, such as 2027-12-31`);
  const endMs = Date.parse(end);
  if (endMs <= systemClock.now()) throw new UsageError(`--expires is ${day}, which is in the past`);
  return endMs;
}
