import type { ChangePreview } from '#src/service/server/admin/answers/preview-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { ConsoleParts, ConsoleTeller } from '../console-parts.ts';
import { table } from './table.ts';

/** Lists the entries that a change of a list would leave out, by reason, without zeros. */
export function omittedFacts<Fact>(
  { omitted }: ChangePreview,
  fact: (label: string, value: number) => Fact,
  tell: ConsoleTeller,
): (Fact | null)[] {
  if (omitted === undefined) return [];
  const { held_back, invalid, expired, duplicates } = omitted;
  const shown = (label: string, value: number) => (value > 0 ? fact(label, value) : null);
  return [
    shown(tell('lists.heldBack'), held_back),
    shown(tell('preview.expired'), expired),
    shown(tell('preview.duplicates'), duplicates),
    shown(tell('preview.invalid'), invalid),
  ];
}

/** The entries that a change of a list would hold back or leave out, and why. */
export function omittedEntries({ held_back = [], left_out = [] }: ChangePreview, { tell }: ConsoleParts): Child {
  const items = [...held_back, ...left_out];
  if (items.length === 0) return null;
  const title = tell('preview.omitted');
  return [
    html('h3', {}, title),
    table<(typeof items)[number]>(
      title,
      '',
      [
        { label: tell('entry'), look: 'wide', cell: ({ entry }) => literal(entry, 'mono') },
        { label: tell('preview.reason'), look: 'wide', cell: ({ code }) => tell.maybe(`held.${code}`, code) },
        { label: tell('preview.line'), look: 'number', cell: ({ line }) => line },
      ],
      items,
    ).element,
  ];
}

/** The entries that would be removed: the first of them, and how many more. */
export function removedEntries({ removed }: ChangePreview, { tell, locale }: ConsoleParts): Child {
  if (removed === undefined) return null;
  const { count, first } = removed;
  const rest = count - first.length;
  return [
    html('h3', {}, tell('preview.removed', { count: locale.format.number(count) })),
    names(first, rest > 0 && tell('preview.more', { count: locale.format.number(rest) })),
  ];
}

/** The new entries at popular sites, which are mistakes more often than others. */
export function popularEntries({ popular = [], popular_hits }: ChangePreview, { tell, locale }: ConsoleParts): Child {
  if (popular.length === 0) return null;
  const rest = popular_hits - popular.length;
  return [
    html('p', { class: 'complaint' }, tell('preview.popular.warn')),
    names(
      popular.map(({ entry }) => entry),
      rest > 0 && tell('preview.more', { count: locale.format.number(rest) }),
    ),
  ];
}

function names(entries: readonly string[], rest: Child): HTMLElement {
  return html(
    'ul',
    { class: 'names' },
    entries.map((entry) => html('li', {}, literal(entry, 'mono'))),
    rest && html('li', { class: 'muted' }, rest),
  );
}
