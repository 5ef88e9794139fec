import { decisionChip } from '../elements/decision-chip.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { mismatchLine } from '../elements/mismatch-line.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { shownUrl } from '../elements/shown-url.ts';
import { lookOf } from '../result/shown-result.ts';
import type { Locale } from '../shell/locale.ts';
import type { QueuedCheck } from './check-queue.ts';

/** The results of many links, one a line. */
export interface BatchList {
  readonly element: HTMLElement;
  changed(check: QueuedCheck): void;
}

/** Builds the list; a line whose check is done can be opened, which calls `open`. */
export function batchList(
  checks: readonly QueuedCheck[],
  locale: Locale,
  open: (check: QueuedCheck) => void,
): BatchList {
  const { say } = locale;
  const lines = new Map(checks.map((check) => [check, html('li', {})]));
  for (const check of checks) draw(check);

  function draw(check: QueuedCheck): void {
    const line = lines.get(check);
    if (!line) return;
    const link = shownUrl(check.url);
    line.className = check.state;
    const { mismatch } = check.link;
    const finding = mismatch && mismatchLine(mismatch, say, 'check.mismatch');
    if (!check.result) {
      replaceChildren(line, html('div', { class: 'line' }, outcome(check), link), finding);
      return;
    }
    const look = lookOf({ result: check.result, mismatch });
    const button = html(
      'button',
      { type: 'button', class: 'line', click: () => open(check) },
      decisionChip(look, say),
      link,
      html('span', { class: 'figure' }, locale.format.percent(check.result.malicious_probability)),
    );
    replaceChildren(line, button, finding);
  }

  function outcome({ state, refusal }: QueuedCheck) {
    if (refusal) return html('span', { class: 'complaint' }, refusalText(refusal, locale));
    if (state === 'stopped') return html('span', { class: 'muted' }, say('check.stopped'));
    return html('span', { class: 'pending', 'aria-hidden': 'true' });
  }

  return {
    element: html(
      'section',
      { class: 'batch', 'aria-labelledby': 'batch-title' },
      html('h2', { id: 'batch-title', tabindex: -1 }, say('check.results')),
      html('ol', { class: 'batch-list' }, [...lines.values()]),
    ),
    changed: draw,
  };
}
