import type { NonWebTarget } from '#src/message/non-web-target.ts';
import { html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import { decisionIcon } from '../elements/icons.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { lookOfTarget, nonWebSentence } from './non-web-words.ts';

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
      html(
        'div',
        { class: 'verdict-head' },
        decisionIcon(look),
        html(
          'div',
          {},
          html('h2', { id: 'result-title', tabindex: -1 }, say('target.title')),
          html(
            'p',
            { class: 'advice' },
            filled(nonWebSentence(target, say), () => foreign(target.words ?? '')),
            '. ',
            say('target.advice'),
          ),
        ),
      ),
      target.target !== '' && html('p', { class: 'checked-url' }, literal(target.target, 'mono')),
      html('p', { class: 'meta' }, say('target.notSent')),
    ),
  );
}
