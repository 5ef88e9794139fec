import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { perform, withDraft } from '#src/admin/audit/act.ts';
import { openLog } from '#src/app/open-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { endOfDay, systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { choice, UsageError } from '#src/interfaces/cli/command.ts';
import { commandPlace } from '#src/interfaces/cli/command-place.ts';
import { confirm } from '#src/interfaces/cli/confirm.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { limitOf } from '#src/interfaces/cli/log/log-request.ts';
import { hasHistory, newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import { reportActivation } from '#src/interfaces/cli/report-activation.ts';
import type { ListFileItem } from '#src/network/lists/formats/list-format.ts';
import { MAX_LIST_BYTES, readListFile } from '#src/network/lists/formats/read-list-file.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import { LIST_ACTIONS, MAX_WEIGHT } from '#src/network/lists/stored/list-state.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import { allChanged, changesMade, rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { openScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { PreparedLists } from '../change-lists.ts';
import { LIST_ACTS } from '../list-acts.ts';
import type { ListChange, ListChanged } from '../list-change.ts';
import { type ListsPreview, previewLists } from '../preview-lists.ts';
import type { ListsInvocation } from './show.ts';

/** Default number of latest checks of each log to examine. */
export const DEFAULT_LIMIT = 100_000;

/** Maximum number of changed checks or sites that are printed. */
const MAX_SHOWN = 10;

/** Prints the effect of a change of the lists on the history and on well-known sites. */
async function printPreview(invocation: ListsInvocation, io: Io, prepared: PreparedLists): Promise<void> {
  const limit = limitOf(invocation) ?? DEFAULT_LIMIT;
  await io.stdout.write(prepared.changed.map(changedText).join(''));
  const { config } = invocation;
  const preview = await previewLists(config.data_dir, prepared, await openScoringContext(config), systemClock.now());
  for (const visibility of ['public', 'private'] as const) {
    if (hasHistory(config, visibility)) await printHistoryPreview(invocation, io, { preview, visibility, limit });
  }
  const { sites, changed, at } = await preview.popularSites(MAX_SHOWN);
  const lines = changed.slice(0, MAX_SHOWN).map(({ url, was, now }) => `  ${was} → ${now}  ${url}\n`);
  await io.stdout.write(
    `Of ${sites} popular sites, ${otherwise(changed.length)}\n${lines.join('')}${andMore(changed.length, lines)}`,
  );
  if (at.count === 0) return;
  const lying = at.first.map(({ entry, line, site }) => `  line ${line}: ${visibleInTerminal(entry)} (${site})\n`);
  await io.stdout.write(
    `Review the entries on popular sites: ${at.count}\n${lying.join('')}${andMore(at.count, lying)}`,
  );
}

interface Looked {
  readonly preview: ListsPreview;
  readonly visibility: Visibility;
  readonly limit: number;
}

/**
 * Prints the effects on the history; of private checks only their number, because browsing in private is never shown.
 */
async function printHistoryPreview(
  invocation: ListsInvocation,
  io: Io,
  { preview, visibility, limit }: Looked,
): Promise<void> {
  await using logs = await openLog(invocation.config, 'read', diagnosticsOf(invocation, io.stderr));
  const newest = newestOf(logs.log, { id: null, visibility, filter: EVERY_CHECK, limit });
  const rescored = await rescoreAll(newest, preview.score);
  const shown = visibility === 'public' ? rescored.changed.slice(0, MAX_SHOWN) : [];
  const lines = shown.map(
    ({ check: { timestamp, url }, was, now }) =>
      `  ${was.decision} → ${now.decision}  ${timestamp}  ${visibleInTerminal(url)}\n`,
  );
  const total = allChanged(rescored);
  const kinds = changesMade(rescored)
    .map(({ was, now, checks }) => `  ${was} → ${now}: ${checks}\n`)
    .join('');
  const left = rescored.unread > 0 ? `  ${rescored.unread} skipped: unreadable records\n` : '';
  const more = visibility === 'public' ? andMore(total, lines) : '';
  await io.stdout.write(
    `Of the latest ${counted(rescored.judged, `${visibility} check`)}, ${otherwise(total)}\n${kinds}${lines.join('')}${more}${left}`,
  );
}

function otherwise(count: number): string {
  return `${count === 0 ? 'none' : count} would have another decision`;
}

function andMore(count: number, lines: readonly string[]): string {
  return count > lines.length ? `  and ${count - lines.length} more\n` : '';
}

/** Describes the changes to a list. */
export function changedText(changed: ListChanged): string {
  const { list, entries, entriesBefore, added, expired, repeated, quarantined, quarantinedEntries, skipped } = changed;
  const { format, unread, newlyQuarantined } = changed;
  const gone = entriesBefore + added - entries;
  const parts = [
    `${counted(entries, 'entry', 'entries')} (${added} new${changed.what === 'rollback' || gone <= 0 ? '' : `, ${gone} removed`})`,
    ...(repeated > 0 ? [`${repeated} duplicates`] : []),
    ...(expired > 0 ? [`${expired} expired and skipped`] : []),
    ...(skipped.count > 0 ? [`${skipped.count} skipped as unsupported`] : []),
    ...(quarantined > 0 ? [`${quarantined} quarantined, not applied`] : []),
  ];
  const held = quarantinedEntries.map(({ entry, line, why }) => ({ line, message: `${entry} ${whyHeldBack(why)}` }));
  const first = unread.count > 0 ? `; ${counted(unread.count, 'line was', 'lines were')} not understood:` : '';
  const read = format === null ? '' : `read as ${format}${first}\n${linesOf(unread.first, unread.count)}`;
  const removed = namesOf(changed.removedEntries, changed.removed);
  return `${read}${list}: ${parts.join(', ')}\n${removed}${linesOf(skipped.first, skipped.count)}${linesOf(held, newlyQuarantined)}`;
}

/** The first removed entries, and how many more there are. */
function namesOf(first: readonly string[], count: number): string {
  if (count < 2) return '';
  return `${first.map((entry) => `  ${visibleInTerminal(entry)}\n`).join('')}${andMore(count, first)}`;
}

/** The first lines that are not applied, and how many more there are. */
function linesOf(first: readonly BadLine[], count: number): string {
  const lines = first.map(({ line, message }) => `  line ${line}: ${visibleInTerminal(message)}\n`);
  return lines.length === 0 ? '' : `${lines.join('')}${andMore(count, lines)}`;
}

/** `lurecheck lists import NAME FILE`: previews the effect, asks for confirmation, and activates the list in one step. */
export async function importList(invocation: ListsInvocation, io: Io, name: string, path: string): Promise<ExitCode> {
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
  const words = { question: `Activate ${name}?`, done: `${name} is imported` };
  return await previewed(invocation, io, { ...change, items }, words);
}

/** Prints the effect of a change, asks for confirmation, and makes it. */
async function previewed(
  invocation: ListsInvocation,
  io: Io,
  change: ListChange,
  { question, done }: { readonly question: string; readonly done: string },
): Promise<ExitCode> {
  return await withDraft(LIST_ACTS[change.what], commandPlace(invocation), change, async ({ lists }, commit) => {
    await printPreview(invocation, io, lists);
    if (!invocation.flag('yes') && !(await confirm(question, io))) {
      await io.stderr.write('lurecheck: cancelled, nothing was changed\n');
      return 1;
    }
    await commit(invocation.actor);
    return await reportActivation(done, invocation.config.data_dir, 'lists', io);
  });
}

/** `lurecheck lists add NAME ENTRY` */
export async function addEntry(invocation: ListsInvocation, io: Io, name: string, entry: string): Promise<ExitCode> {
  const items = entry === '-' ? readListFile(io.stdin, invocation.text('input') ?? null) : typed(entry, invocation);
  const change = { ...readWay(invocation), what: 'add', list: name, source: null, items } as const;
  const [changed] = await changeNow(invocation, io, change);
  if (changed?.added === 0 && changed.quarantinedEntries.length > 0) {
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
    const words = { question: `Remove these entries from ${name}?`, done: `${name} is changed` };
    return await previewed(invocation, io, { what: 'remove', list: name, entries: { matching } }, words);
  }
  const entries = entry === undefined ? null : { named: [entry] };
  await changeNow(invocation, io, { what: 'remove', list: name, entries });
  const done = entry === undefined ? `${name} is removed` : `${entry} is removed from ${name}`;
  return await reportActivation(done, invocation.config.data_dir, 'lists', io);
}

/** `lurecheck lists rollback [NAME]` */
export async function rollBack(invocation: ListsInvocation, io: Io, name: string): Promise<ExitCode> {
  await changeNow(invocation, io, { what: 'rollback', list: name === '' ? null : name });
  const done = `${name === '' ? 'the lists are' : `${name} is`} rolled back to before the last change`;
  return await reportActivation(done, invocation.config.data_dir, 'lists', io);
}

async function changeNow(invocation: ListsInvocation, io: Io, change: ListChange): Promise<readonly ListChanged[]> {
  const changed = await perform(LIST_ACTS[change.what], commandPlace(invocation), invocation.actor, change);
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
