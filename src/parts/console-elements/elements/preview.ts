import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import { facts } from '#src/interfaces/ui/result/facts.ts';
import type { ChangePreview } from '#src/service/server/admin/preview-answer.ts';
import type { ConsoleParts, ConsoleTeller } from '../console-parts.ts';
import { type Act, action, returnFocus } from './action.ts';
import { table } from './table.ts';

/** Shows the effect of a change on verdicts of logged checks. */
export function previewFacts(preview: ChangePreview, parts: ConsoleParts): HTMLElement {
  const { locale, tell } = parts;
  const { say, format } = locale;
  const { checked, changed, newly_blocked, newly_allowed, popular_hits, examples, invalid_lines, entries } = preview;
  const number = (label: string, value: number) => [label, format.number(value)] as const;
  return html(
    'div',
    { class: 'preview-facts' },
    facts(
      entries > 0 ? number(tell('preview.entries'), entries) : null,
      number(tell('preview.checked'), checked),
      ...(changed === 0
        ? []
        : [
            number(tell('preview.changed'), changed),
            number(tell('preview.blocked'), newly_blocked),
            number(tell('preview.allowed'), newly_allowed),
          ]),
      popular_hits > 0 ? ([...number(tell('preview.popular'), popular_hits), 'complaint'] as const) : null,
      ...omittedFacts(preview, number, tell),
    ),
    removedEntries(preview, parts),
    popularEntries(preview, parts),
    checked > 0 && changed === 0 && html('p', {}, tell('preview.same')),
    examples.length > 0 &&
      table(
        tell('preview.examples'),
        '',
        [
          { label: tell('preview.example'), look: 'wide', cell: ({ url }) => literal(url, 'mono') },
          { label: tell('preview.before'), cell: ({ before }) => decisionChip(before, say) },
          { label: tell('preview.after'), cell: ({ after }) => decisionChip(after, say) },
        ],
        examples,
      ).element,
    omittedEntries(preview, parts),
    invalid_lines.length > 0 && [
      html('h3', {}, tell('preview.invalid')),
      table(
        tell('preview.invalid'),
        '',
        [
          { label: tell('preview.line'), look: 'number', cell: ({ line }) => line },
          {
            label: tell('preview.reason'),
            look: 'wide',
            cell: ({ reason }) => html('span', { lang: 'en' }, foreign(reason)),
          },
        ],
        invalid_lines,
      ).element,
    ],
  );
}

/** The answer to a change: its preview, or what the service has after it. */
export type Effect = { readonly preview?: ChangePreview; readonly etag?: string | null } | null;

/** A change that is shown before it is made. */
export interface Previewed {
  /** Title of the change, if the form above does not name it. */
  readonly title?: string;
  /** Asks for the change, or for its preview alone. */
  ask(preview: boolean): Promise<Effect>;
  /** Why the change cannot be made as it is; null if it can. */
  flaw?(preview: ChangePreview): string | null;
  /** Called once the change is made, with the answer to it. */
  done(effect: Effect): void;
}

/** Shows in `place` what a change would do, with the buttons that make it or leave it. Throws what asking throws. */
export async function previewIn(
  place: HTMLElement,
  { title, ask, flaw, done }: Previewed,
  parts: ConsoleParts,
): Promise<void> {
  const { tell } = parts;
  const flawOf = (effect: Effect) => (effect?.preview && flaw?.(effect.preview)) ?? null;
  const shown: ShownEffect<Effect> = {
    ...{ title: title ?? tell('preview.title'), apply: tell('preview.apply'), ask, done },
    mayApply: (effect) => flawOf(effect) === null,
    draw(effect) {
      const wrong = flawOf(effect);
      return [
        effect?.preview && previewFacts(effect.preview, parts),
        wrong !== null && html('p', { class: 'complaint' }, wrong),
      ];
    },
  };
  await showEffect(place, shown, parts);
}

/** A change whose effect of any kind is shown before it is made. */
export interface ShownEffect<Answer> {
  readonly title: string;
  /** Words of the button that makes it. */
  readonly apply: string;
  /** Asks for the change, or for its effect alone. */
  ask(preview: boolean): Promise<Answer>;
  draw(effect: Answer): Child;
  /** Returns false if the change cannot be made as it is. */
  mayApply?(effect: Answer): boolean;
  /** Called once the change is made, with the answer to it. */
  done(answer: Answer): void;
}

/** Shows in `place` the effect of a change, with the buttons that make it or leave it. Throws what asking throws. */
export async function showEffect<Answer>(
  place: HTMLElement,
  { title: words, apply: label, ask, draw, mayApply, done }: ShownEffect<Answer>,
  parts: ConsoleParts,
): Promise<void> {
  const { tell } = parts;
  const giveBack = returnFocus();
  const effect = await ask(true);
  if (parts.leaving.aborted) return;
  const title = html('h3', { tabindex: -1 }, words);
  const close = () => {
    replaceChildren(place);
    giveBack();
  };
  const apply = async () => {
    const answer = await ask(false);
    close();
    parts.note(tell('done'));
    done(answer);
  };
  replaceChildren(
    place,
    html(
      'div',
      { class: 'preview' },
      title,
      draw(effect),
      html(
        'div',
        { class: 'buttons' },
        mayApply?.(effect) !== false && action({ label, isPrimary: true, run: apply }, parts),
        html('button', { type: 'button', click: close }, tell('cancel')),
      ),
    ),
  );
  title.focus();
}

/** A button in a row of a table that shows below the row what its change would do, before the change is made. */
export function rowPreviewButton(order: Previewed & Pick<Act, 'label' | 'of'>, parts: ConsoleParts): HTMLElement {
  const place = html('div', { class: 'in-place' });
  const ask = (isPreview: boolean) => {
    showBelowRow(button, place);
    return order.ask(isPreview);
  };
  const button = previewButton({ ...order, ask }, place, parts);
  return button;
}

/** A button that shows in `place` what its change would do, before the change is made. */
export function previewButton(
  { label, of, ...previewed }: Previewed & Pick<Act, 'label' | 'of'>,
  place: HTMLElement,
  parts: ConsoleParts,
): HTMLElement {
  const run = async () => {
    replaceChildren(place);
    await previewIn(place, previewed, parts);
  };
  return action({ label, run, ...(of !== undefined && { of }) }, parts);
}

/** Shows a place below the row of a table that an element is in, across all columns. */
export function showBelowRow(within: Element, place: HTMLElement): void {
  if (place.isConnected) return;
  within
    .closest('tr')
    ?.after(
      html('tr', { role: 'row', class: 'below' }, html('td', { role: 'cell', class: 'opened', colspan: 9 }, place)),
    );
}

/** Lists the entries that a change of a list would leave out, by reason, without zeros. */
function omittedFacts<Fact>(
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
function omittedEntries({ held_back = [], left_out = [] }: ChangePreview, { tell }: ConsoleParts): Child {
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
function removedEntries({ removed }: ChangePreview, { tell, locale }: ConsoleParts): Child {
  if (removed === undefined) return null;
  const { count, first } = removed;
  const rest = count - first.length;
  return [
    html('h3', {}, tell('preview.removed', { count: locale.format.number(count) })),
    names(first, rest > 0 && tell('preview.more', { count: locale.format.number(rest) })),
  ];
}

/** The new entries at popular sites, which are mistakes more often than others. */
function popularEntries({ popular = [], popular_hits }: ChangePreview, { tell, locale }: ConsoleParts): Child {
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
