import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { Quarantine } from '#src/network/lists/stored/guard.ts';
import type { ListChanged } from '#src/admin/lists/list-change.ts';
import type { BadLine } from '#src/network/lists/parse.ts';

/** Why an entry is not applied, as the end of a sentence. */
const WHY: Readonly<Record<Quarantine, string>> = {
  public_suffix: 'is a public suffix, under which everybody has sites',
  platform: 'is a platform, on which anybody can publish',
  own_domain: 'is a domain of your own',
  popular_site: 'is one of the ten thousand sites that most people visit',
  private_addresses: 'holds addresses that are not of the internet at large',
};

/** Why an entry is not applied, as the end of a sentence. */
export function whyHeldBack(why: Quarantine): string {
  return WHY[why];
}

/** What a change did to a list. */
export function changedText(changed: ListChanged): string {
  const { list, entries, entriesBefore, added, expired, repeated, quarantined, heldBack, leftOut } = changed;
  const gone = entriesBefore + added - entries;
  const told = [
    `${counted(entries, 'entry', 'entries')} (${added} new${changed.what === 'rollback' || gone <= 0 ? '' : `, ${gone} gone`})`,
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
    ...(expired > 0 ? [`${expired} expired and left out`] : []),
    ...(leftOut.count > 0 ? [`${leftOut.count} left out, as no list holds what they say`] : []),
    ...(quarantined > 0 ? [`${quarantined} kept without being applied`] : []),
  ];
  const held = heldBack.map(({ entry, line, why }) => ({ line, message: `${entry} ${whyHeldBack(why)}` }));
  return `${list}: ${told.join(', ')}\n${linesOf(leftOut.first, leftOut.count)}${linesOf(held, quarantined)}`;
}

/** The first lines that are not applied, and how many more there are. */
function linesOf(first: readonly BadLine[], count: number): string {
  const lines = first.map(({ line, message }) => `  line ${line}: ${visibleInTerminal(message)}\n`);
  const more = first.length > 0 && count > first.length ? `  and ${count - first.length} more\n` : '';
  return `${lines.join('')}${more}`;
}
