import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { foreign, literal } from '../../elements/literal.ts';
import type { Speaker } from '../../languages/speak.ts';
import type { Locale } from '../../shell/locale.ts';
import type { IntakeProblem } from './intake-problem.ts';
import { nonWebSentence } from './non-web-words.ts';

/** Builds a line with the description of a target, and the target itself. */
export function nonWebLine(target: NonWebTarget, say: Speaker): HTMLElement {
  const sentence = filled(nonWebSentence(target, say), () => foreign(target.words ?? ''));
  return html(
    'span',
    { class: 'target-line' },
    html('span', {}, sentence),
    target.target !== '' && html('span', { class: 'note' }, literal(target.target.slice(0, MAX_SHOWN), 'mono')),
  );
}

/** Longer targets are cut in a line, in UTF-16 code units. */
const MAX_SHOWN = 160;

/** Says what of a message was not read; `role` is that of a line that appears. */
export function unreadLine({ key, name, text = '' }: IntakeProblem, { say }: Locale, role?: 'alert'): HTMLElement {
  const said = filled(say(key), (gap) => foreign(gap === 'name' ? name : text));
  return html('p', { class: 'complaint', role }, said);
}
