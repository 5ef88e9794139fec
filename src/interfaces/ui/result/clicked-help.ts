import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';

/** Builds folded steps for readers who already followed the link, the most urgent first. */
export function clickedHelp(say: Speaker): HTMLElement {
  const steps = (['bank', 'password', 'file', 'sms', 'work'] as const).map((step) =>
    html('li', {}, say(`clicked.${step}`)),
  );
  return html('details', { class: 'clicked' }, html('summary', {}, say('clicked.title')), html('ul', {}, steps));
}
