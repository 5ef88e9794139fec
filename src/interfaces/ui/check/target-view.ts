import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import { literal } from '../elements/literal.ts';
import { verdictHead } from '../elements/verdict-head.ts';
import type { Locale } from '../shell/locale.ts';
import { lookOfTarget, nonWebSentence } from './intake/non-web-words.ts';

/** A finding as a result of its own: what stands there, and that nothing of it was checked. */
export function targetView(target: NonWebTarget, { say }: Locale): HTMLElement {
  const look = lookOfTarget(target);
  return html(
    'section',
    {
      class: 'result',
      'data-decision': look === 'warn' ? 'warn' : 'allow',
      'data-coverage': 'url_only',
      'data-caution': 'true',
      'aria-labelledby': 'result-title',
    },
    html(
      'div',
      { class: `verdict ${look}` },
      verdictHead(look, say('target.title'), [
        filled(nonWebSentence(target, say), () => foreign(target.words ?? '')),
        '. ',
        say('target.advice'),
      ]),
      target.target !== '' && html('p', { class: 'checked-url' }, literal(target.target, 'mono')),
      html('p', { class: 'meta' }, say('target.notSent')),
    ),
  );
}
