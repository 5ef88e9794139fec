import type { Reason } from '#src/record/check-result.ts';
import { html } from '../dom.ts';
import type { Speaker } from '../languages/speak.ts';
import { visibleText } from '../visible-text.ts';

/** A reason in the reader's language where it has it, otherwise in the service's English, marked as such. */
export function reasonText({ code, message }: Reason, say: Speaker): HTMLElement {
  const own = say.reason(code);
  if (own !== null) return html('span', {}, own);
  return html('bdi', { class: 'foreign', lang: 'en' }, visibleText(message, 400));
}
