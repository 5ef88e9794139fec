import type { AnalysisDetails, Reason } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import type { Locale } from '../../shell/locale.ts';
import { shownHost } from '../names/shown-host.ts';
import type { ShownResult } from '../shown-result.ts';
import { stateOf } from '../verdict-state.ts';
import { leadingReasons } from './leading-reasons.ts';
import { reasonLine } from './reason-line.ts';

/** Shows the most useful reasons as sentences, and the deciding one; the waterfall shows all of them. */
export function reasonList(shown: ShownResult, locale: Locale): HTMLElement {
  const { say, format } = locale;
  const { analysis_details: details, malicious_probability: probability } = shown.result;
  const { counterfactual, counterfactual_reason } = details;
  const state = stateOf(shown);
  const first = leadingReasons(details, state);
  const none = say(state === 'caution' ? 'result.unusual' : 'result.noReasons', { value: format.percent(probability) });
  const written = shownHost(details);
  const writtenArgs = (args: Reason['args']): Reason['args'] =>
    Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, typeof arg === 'string' ? written(arg) : arg]));
  return html(
    'section',
    { class: 'why', 'aria-labelledby': 'why-title' },
    html('h3', { id: 'why-title' }, say('result.reasons')),
    first.length === 0
      ? html('p', {}, none)
      : html(
          'ol',
          { class: 'reasons' },
          first.map((reason) => reasonLine({ ...reason, args: writtenArgs(reason.args) }, locale)),
        ),
    counterfactual !== null &&
      html('p', { class: 'counterfactual' }, whatDecides(counterfactual, counterfactual_reason, locale)),
  );
}

/** Names the deciding reason by its heading; its sentence is in the list of reasons. */
function whatDecides(english: string, reason: AnalysisDetails['counterfactual_reason'], { say }: Locale): Child {
  const heading = reason && say.heading(reason.code);
  if (!heading || reason.decision === 'block') return html('span', { lang: 'en' }, foreign(english));
  return say(`result.decides.${reason.decision}`, { reason: heading });
}
