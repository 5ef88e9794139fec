import { html } from '../../elements/dom.ts';
import { decisionIcon } from '../../elements/icons.ts';
import type { Locale } from '../../shell/locale.ts';
import { type CheckKind, countKinds, KINDS } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';

/** Filter of a batch by kind, with the number of checks of each. */
export interface BatchFilter {
  readonly element: HTMLElement;
  /** The kind that was chosen; null for all. */
  kind(): CheckKind | null;
  /** Counts again. */
  refresh(): void;
}

/** Builds the filter, which calls `changed` once another kind is chosen. */
export function batchFilter(checks: readonly QueuedCheck[], locale: Locale, changed: () => void): BatchFilter {
  const { say, format } = locale;
  let chosen: CheckKind | null = null;
  const buttons = new Map(
    ([null, ...KINDS] as const).map((kind) => {
      const figure = html('span', { class: 'figure' });
      const name =
        kind === null ? say('batch.all') : say(kind === 'unchecked' ? 'batch.unchecked' : `decision.${kind}.short`);
      const icon = kind !== null && kind !== 'unchecked' && decisionIcon(kind);
      const button = html(
        'button',
        { type: 'button', class: `kind ${kind ?? 'all'}`, click: () => choose(kind) },
        icon,
        name,
        ' ',
        figure,
      );
      return [kind, { button, figure }] as const;
    }),
  );

  function choose(kind: CheckKind | null): void {
    chosen = chosen === kind ? null : kind;
    refresh();
    changed();
  }

  function refresh(): void {
    const counts = countKinds(checks);
    for (const [kind, { button, figure }] of buttons) {
      const count = kind === null ? checks.length : counts[kind];
      figure.textContent = format.number(count);
      button.hidden = count === 0 && kind !== chosen;
      button.setAttribute('aria-pressed', String(kind === chosen));
    }
  }

  refresh();
  return {
    element: html(
      'div',
      { class: 'batch-filter', role: 'group', 'aria-label': say('batch.filter') },
      [...buttons.values()].map(({ button }) => button),
    ),
    kind: () => chosen,
    refresh,
  };
}
