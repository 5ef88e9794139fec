import type { AnalysisDetails, Reason } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../../elements/dom.ts';
import { position } from '../../elements/position.ts';
import type { Locale } from '../../shell/locale.ts';
import { panel } from '../facts.ts';
import { reasonText } from '../reasons/reason-list.ts';
import { type Step, waterfallSteps } from './waterfall-steps.ts';

/** Signs that are shown at once; the weaker ones are folded away. */
const SHOWN = 12;

/** Draws every contribution as a bar that begins at the end of the previous one. */
export function waterfall({ base_log_odds, reasons }: AnalysisDetails, locale: Locale): HTMLElement {
  const { say, format } = locale;
  const { start, steps, end, ticks } = waterfallSteps(base_log_odds, reasons);
  const lines = steps.map((step) => line(step, locale));
  const rest = lines.slice(SHOWN);
  const total = (label: string, at: number, probability: number) =>
    html(
      'li',
      { class: 'total' },
      html('span', { class: 'sign' }, label),
      track(position(html('span', { class: 'stop' }), { at })),
      html('span', { class: 'weight' }),
      html('span', { class: 'after' }, format.percent(probability)),
    );
  return panel(
    'waterfall',
    say('waterfall.title'),
    null,
    html('p', { class: 'muted' }, say('waterfall.lead', { start: format.whole(start.probability) })),
    html(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      track(
        ticks.map(({ at, probability }) =>
          position(html('span', { class: 'tick' }, format.whole(probability)), { at }),
        ),
      ),
    ),
    html('ol', { class: 'bars' }, total(say('waterfall.start'), start.at, start.probability), lines.slice(0, SHOWN)),
    rest.length > 0 &&
      html(
        'details',
        {},
        html('summary', {}, say.count('waterfall.rest', rest.length)),
        html('ol', { class: 'bars' }, rest),
      ),
    html('ol', { class: 'bars' }, total(say('waterfall.end'), end.at, end.probability)),
    html('p', { class: 'note' }, say('waterfall.unit')),
  );
}

function line({ reason, from, to, probability }: Step, locale: Locale): HTMLElement {
  const { say, format } = locale;
  const heading = say.heading(reason.code);
  return html(
    'li',
    { class: reason.weight > 0 ? 'for' : 'against' },
    html(
      'span',
      { class: 'sign' },
      heading,
      ' ',
      component(reason, say),
      html('span', { class: 'note' }, reasonText(reason, locale)),
    ),
    track(position(html('span', { class: 'bar' }), { from: Math.min(from, to), to: Math.max(from, to) })),
    html('span', { class: 'weight' }, format.signed(reason.weight)),
    html('span', { class: 'after' }, format.percent(probability)),
  );
}

function component({ component: name }: Reason, say: Locale['say']): HTMLElement {
  return html('span', { class: 'tag' }, say.maybe(`component.${name}`, name));
}

function track(...children: readonly Child[]): HTMLElement {
  return html('span', { class: 'track', 'aria-hidden': 'true' }, ...children);
}
