import type { Reason } from '#src/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Speaker } from '../languages/speak.ts';

/** A reason in the reader's language where it has it, otherwise in the service's English, marked as such. */
export function reasonText({ code, message, args }: Reason, say: Speaker): HTMLElement {
  const told = say.told(code, args);
  if (told !== null) return html('bdi', { class: 'foreign' }, visibleText(told, 400));
  const own = say.reason(code);
  // Where the link leads is said once, in the verdict.
  const prefix = `The link leads on to ${args['inside']}. `;
  const english = visibleText(message.startsWith(prefix) ? message.slice(prefix.length) : message, 400);
  if (own === null) return html('bdi', { class: 'foreign', lang: 'en' }, english);
  // The sentence of the language is a general one; the service's own names what was seen.
  const detail = html('bdi', { class: 'foreign note', lang: 'en' }, english);
  return html('span', {}, own, ' ', detail);
}
