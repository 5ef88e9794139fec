import type { Speaker } from '../languages/speak.ts';
import { html } from './dom.ts';
import { decisionIcon } from './icons.ts';
import type { Look } from './look.ts';

/** A verdict in a line of a list: shape, colour and word. */
export function decisionChip(look: Look, say: Speaker): HTMLElement {
  return html('span', { class: `chip ${look}` }, decisionIcon(look), say(`decision.${look}.short`));
}
