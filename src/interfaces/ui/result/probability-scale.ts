import type { Thresholds } from '#src/engine/fusion/decide.ts';
import { html } from '../elements/dom.ts';
import { position } from '../elements/position.ts';
import type { Locale } from '../shell/locale.ts';

/** The probability on a line from 0 to 1, on which both thresholds are marked. */
export function probabilityScale(probability: number, thresholds: Thresholds, { say, format }: Locale): HTMLElement {
  const words = {
    probability: format.percent(probability),
    warn: format.percent(thresholds.warn),
    block: format.percent(thresholds.block),
  };
  return html(
    'div',
    { class: 'scale' },
    html(
      'p',
      { class: 'scale-head' },
      html('span', {}, say('result.probability')),
      html('strong', {}, words.probability),
    ),
    position(
      html(
        'div',
        { class: 'scale-track', role: 'img', 'aria-label': say('result.scale', words) },
        html('span', { class: 'zone allow' }),
        html('span', { class: 'zone warn' }),
        html('span', { class: 'zone block' }),
        html('span', { class: 'marker' }),
      ),
      { 'warn-at': thresholds.warn, 'block-at': thresholds.block, at: probability },
    ),
    html(
      'p',
      { class: 'scale-legend', 'aria-hidden': 'true' },
      html('span', { class: 'warn' }, say('result.scale.warn', { value: words.warn })),
      html('span', { class: 'block' }, say('result.scale.block', { value: words.block })),
    ),
  );
}
