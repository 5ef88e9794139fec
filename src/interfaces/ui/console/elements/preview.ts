import type { ChangePreview } from '#src/service/server/admin/answers/preview-answer.ts';
import { decisionChip } from '../../elements/decision-marks.ts';
import { html, replaceChildren } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import { facts } from '../../result/facts.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type Act, action } from './action.ts';
import { showBelowRow } from './below-row.ts';
import { omittedEntries, omittedFacts, popularEntries, removedEntries } from './list-effects.ts';
import { returnFocus } from './return-focus.ts';
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
  { title: stated, ask, flaw, done }: Previewed,
  parts: ConsoleParts,
): Promise<void> {
  const { tell } = parts;
  const giveBack = returnFocus();
  const answer = await ask(true);
  if (parts.leaving.aborted) return;
  const title = html('h3', { tabindex: -1 }, stated ?? tell('preview.title'));
  const wrong = (answer?.preview && flaw?.(answer.preview)) ?? null;
  const close = () => {
    replaceChildren(place);
    giveBack();
  };
  const apply = async () => {
    const effect = await ask(false);
    close();
    parts.note(tell('done'));
    done(effect);
  };
  replaceChildren(
    place,
    html(
      'div',
      { class: 'preview' },
      title,
      answer?.preview && previewFacts(answer.preview, parts),
      wrong !== null && html('p', { class: 'complaint' }, wrong),
      html(
        'div',
        { class: 'buttons' },
        wrong === null && action({ label: tell('preview.apply'), isPrimary: true, run: apply }, parts),
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
