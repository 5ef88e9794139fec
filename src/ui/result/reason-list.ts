import type { AnalysisDetails, Reason } from '#src/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';
import { reasonText } from './reason-text.ts';

/** Reasons that a person is told first. */
const STRONGEST = 3;

/** Summands that tell a person nothing: what the model cannot put into words. They stand in the waterfall alone. */
const WORDLESS = new Set(['url.other_patterns']);

/** The strongest reasons in sentences, and the one that decides. */
export function reasonList({ reasons, counterfactual }: AnalysisDetails, locale: Locale): HTMLElement {
  const { say } = locale;
  const strongest = reasons.filter(({ code }) => !WORDLESS.has(code)).slice(0, STRONGEST);
  return html(
    'section',
    { class: 'why', 'aria-labelledby': 'why-title' },
    html('h3', { id: 'why-title' }, say('result.reasons')),
    strongest.length === 0
      ? html('p', {}, say('result.noReasons'))
      : html(
          'ol',
          { class: 'reasons' },
          strongest.map((reason) => line(reason, locale)),
        ),
    counterfactual !== null &&
      html(
        'p',
        { class: 'counterfactual' },
        `${say('result.counterfactual')}: `,
        html('span', { lang: 'en' }, foreign(counterfactual)),
      ),
  );
}

function line(reason: Reason, { say }: Locale): HTMLElement {
  const isFor = reason.weight > 0;
  return html(
    'li',
    { class: isFor ? 'for' : 'against' },
    html('span', { class: 'direction', 'aria-hidden': 'true' }, isFor ? '▲' : '▼'),
    html(
      'span',
      {},
      reasonText(reason, say),
      html('span', { class: 'note' }, say(isFor ? 'result.for' : 'result.against')),
    ),
  );
}
