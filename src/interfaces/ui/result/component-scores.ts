import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { position } from '../elements/position.ts';
import type { Locale } from '../shell/locale.ts';
import { panel } from './panels/panel.ts';

/** What each component says by itself; the middle of its bar says nothing. */
export function componentScores({ individual_scores }: AnalysisDetails, { say, format }: Locale): HTMLElement {
  const line = (name: string, score: number | null) =>
    html(
      'li',
      { class: score === null ? 'silent' : score > 0.5 ? 'for' : 'against' },
      html('span', { class: 'sign' }, say.maybe(`component.${name}`, name)),
      html('span', { class: 'track', 'aria-hidden': 'true' }, score !== null && bar(score)),
      html('span', { class: 'after' }, score === null ? say('scores.none') : format.percent(score)),
    );
  return panel(
    'scores',
    say('scores.title'),
    say('scores.lead', { half: format.percent(0.5) }),
    html(
      'ul',
      { class: 'bars' },
      Object.entries(individual_scores).map(([name, score]) => line(name, score)),
    ),
  );
}

function bar(score: number): HTMLElement {
  return position(html('span', { class: 'bar' }), { from: Math.min(score, 0.5), to: Math.max(score, 0.5) });
}
