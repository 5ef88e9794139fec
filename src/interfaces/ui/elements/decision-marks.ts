import type { Speaker } from '../languages/speak.ts';
import { type Child, html } from './dom.ts';
import { decisionIcon } from './icons.ts';
import type { Look } from './look.ts';

/** The head of a result: its shape, its words, which take the focus, how much was seen in `chip`, and what to do. */
export function verdictHead(look: Look, title: string, advice: Child, chip: Child = null): HTMLElement {
  return html(
    'div',
    { class: 'verdict-head' },
    decisionIcon(look),
    html(
      'div',
      {},
      html('h2', { id: 'result-title', tabindex: -1 }, title),
      chip !== null && html('p', { class: 'coverage' }, html('span', {}, chip)),
      html('p', { class: 'advice' }, advice),
    ),
  );
}

/** A verdict in a line of a list: shape, colour and word. */
export function decisionChip(look: Look, say: Speaker): HTMLElement {
  return html('span', { class: `chip ${look}` }, decisionIcon(look), say(`decision.${look}.short`));
}
