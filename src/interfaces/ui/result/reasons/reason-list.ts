import type { AnalysisDetails, Reason } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { shownHost } from '../shown-host.ts';
import { type ShownResult, stateOf } from '../verdict-state.ts';
import { leadingReasons } from './leading-reasons.ts';
import { reasonPieces } from './reason-pieces.ts';

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

/** A reason as a sentence in the reader's language, with what it quotes set off from its own words. */
export function reasonText(reason: Pick<Reason, 'code' | 'message' | 'args'>, locale: Locale): HTMLElement {
  const pieces = reasonPieces(reason, locale).map(({ text, by }) => {
    if (by === 'page') return text;
    if (by === 'host') return literal(text);
    return by === 'site' ? foreign(text) : html('span', { lang: 'en' }, foreign(text));
  });
  return html('span', {}, pieces);
}
