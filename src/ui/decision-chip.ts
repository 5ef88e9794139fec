import type { Decision } from '#src/fusion/decide.ts';
import { html } from './dom.ts';
import { decisionIcon } from './icons.ts';
import type { Speaker } from './languages/speak.ts';

/** A verdict in a line of a list: shape, colour and word. */
export function decisionChip(decision: Decision, say: Speaker): HTMLElement {
  return html('span', { class: `chip ${decision}` }, decisionIcon(decision), say(`decision.${decision}.short`));
}
