import type { Reason } from '#src/checks/record/check-result.ts';
import { html } from '../../elements/dom.ts';
import type { Locale } from '../../shell/locale.ts';
import { reasonText } from './reason-text.ts';

/** Returns a reason as an item of a list, with the direction in which it speaks. */
export function reasonLine(reason: Pick<Reason, 'code' | 'message' | 'args' | 'weight'>, locale: Locale): HTMLElement {
  const { say } = locale;
  const heading = say.heading(reason.code);
  const isFor = reason.weight > 0;
  return html(
    'li',
    { class: isFor ? 'for' : 'against' },
    html('span', { class: 'direction', 'aria-hidden': 'true' }, isFor ? '▲' : '▼'),
    html(
      'span',
      {},
      heading !== null && html('strong', { class: 'heading' }, heading),
      reasonText(reason, locale),
      html('span', { class: 'visually-hidden' }, ` ${say(isFor ? 'result.for' : 'result.against')}`),
    ),
  );
}
