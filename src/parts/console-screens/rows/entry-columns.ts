import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import { historyList } from '#src/interfaces/ui/history/history-list.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { momentOr, timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { showBelowRow } from '#src/parts/console-elements/elements/preview.ts';
import type { TableColumn } from '#src/parts/console-elements/elements/table.ts';
import { checkSource } from '#src/parts/console-elements/rows/check-source.ts';
import type { ShownEntry } from '#src/parts/lists/routes/list-answer.ts';

/** Returns the columns of an entry: its text, its hits, which open to the checks, its times, and its comment. */
export function entryColumns<T extends ShownEntry>(
  listOf: (entry: T) => string,
  parts: ConsoleParts,
): readonly TableColumn<T>[] {
  const { tell, locale } = parts;
  return [
    { label: tell('entry'), look: 'wide', cell: entryCell },
    { label: tell('lists.hits'), look: 'number', cell: (item) => hitsCell(item, listOf(item), parts) },
    { label: tell('lists.added'), cell: ({ added }) => added && timeAgo(added, locale) },
    { label: tell('expires'), cell: ({ expires }) => momentOr(expires, tell('never'), locale) },
    { label: tell('comment'), cell: (item) => remarks(item, parts) },
  ];
}

/** An entry as it is stored, and as it is written in another script. */
export function entryCell({ entry, written }: Pick<ShownEntry, 'entry' | 'written'>): Child {
  return [literal(entry, 'mono'), written !== null && html('span', { class: 'note written' }, literal(written))];
}

function remarks({ comment, held_back }: ShownEntry, { tell }: ConsoleParts): Child {
  const why = held_back !== null && tell.maybe(`held.${held_back}`, held_back);
  return [
    comment && foreign(comment),
    why && html('span', { class: 'complaint' }, ` ${tell('lists.heldBack')}: ${why}`),
  ];
}

/** The number of checks that an entry decided, which opens to them below its row, in each log that the session may read. */
function hitsCell({ entry, hits }: ShownEntry, list: string, parts: ConsoleParts): Child {
  const { tell, locale, may, settings, leaving } = parts;
  if (hits === null) return '–';
  const logs = (['public', 'private'] as const).filter((log) => may(log === 'public' ? 'history' : 'history.private'));
  const count = locale.format.number(hits);
  if (hits === 0 || logs.length === 0) return count;
  const button = html(
    'button',
    {
      ...{ type: 'button', class: 'hits', 'aria-expanded': 'false' },
      'aria-label': `${tell('lists.hits')}: ${count} (${entry})`,
      click: () => toggle(),
    },
    count,
  );
  let opened: HTMLElement | null = null;

  function toggle(): void {
    const isOpen = opened !== null;
    button.setAttribute('aria-expanded', String(!isOpen));
    if (opened) {
      opened.closest('tr')?.remove();
      opened = null;
      return;
    }
    const place = html('div', { class: 'hit-rows' });
    replaceChildren(
      place,
      logs.map((log) => [
        logs.length > 1 && html('h3', {}, locale.say(`check.${log}`)),
        historyList({ list, entry }, locale, settings, leaving, checkSource(log, parts)),
      ]),
    );
    opened = place;
    showBelowRow(button, place);
  }

  return button;
}
