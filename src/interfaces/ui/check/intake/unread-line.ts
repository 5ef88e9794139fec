import { html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { foreign } from '../../elements/foreign.ts';
import type { Locale } from '../../shell/locale.ts';
import type { IntakeProblem } from './intake-problem.ts';

/** Says what of a message was not read; `role` is that of a line that appears. */
export function unreadLine({ key, name, text = '' }: IntakeProblem, { say }: Locale, role?: 'alert'): HTMLElement {
  const said = filled(say(key), (gap) => foreign(gap === 'name' ? name : text));
  return html('p', { class: 'complaint', role }, said);
}
