import { openLog } from '#src/app/open-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import { diagnosticsOf } from '#src/interfaces/cli/diagnostics.ts';
import { hasHistory, newestOf } from '#src/interfaces/cli/log/read-checks.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';
import { allChanged, changesMade, rescoreAll } from '#src/parts/tuning/rescore/rescore.ts';
import { openScoringContext } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { PreparedLists } from '../change-lists.ts';
import type { ListChanged } from '../list-change.ts';
import { type ListsPreview, previewLists } from '../preview-lists.ts';
import type { ListsInvocation } from './show.ts';

/** Default number of latest checks of each log to examine. */
const DEFAULT_LIMIT = 100_000;

/** Maximum number of changed checks or sites that are printed. */
const MAX_SHOWN = 10;

const EVERY_CHECK = { decision: null, domain: null, fromMs: null, untilMs: null };

/** Prints the effect of a change of the lists on the history and on well-known sites. */
export async function printPreview(invocation: ListsInvocation, io: Io, prepared: PreparedLists): Promise<void> {
  const limit = limitOf(invocation);
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

function limitOf(invocation: ListsInvocation): number {
  const text = invocation.text('limit');
  if (text === undefined) return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit takes a whole number from 1, not "${text}"`);
  return Number(text);
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
  const more = count > first.length ? `  and ${count - first.length} more\n` : '';
  return `${first.map((entry) => `  ${visibleInTerminal(entry)}\n`).join('')}${more}`;
}

/** The first lines that are not applied, and how many more there are. */
function linesOf(first: readonly BadLine[], count: number): string {
  const lines = first.map(({ line, message }) => `  line ${line}: ${visibleInTerminal(message)}\n`);
  const more = first.length > 0 && count > first.length ? `  and ${count - first.length} more\n` : '';
  return `${lines.join('')}${more}`;
}
