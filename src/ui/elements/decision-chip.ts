import type { Decision } from '#src/fusion/decide.ts';
import type { Speaker } from '../languages/speak.ts';
import { html } from './dom.ts';
import { decisionIcon } from './icons.ts';

/** A verdict in a line of a list: shape, colour and word. */
export function decisionChip(decision: Decision, say: Speaker): HTMLElement {
  return html('span', { class: `chip ${decision}` }, decisionIcon(decision), say(`decision.${decision}.short`));
}
