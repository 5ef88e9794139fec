import type { ListChanged } from '#src/admin/lists/list-change.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';

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
