import type { TodaysVerdict } from '#src/checks/record/todays-verdict.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';
import { type Child, html } from '../elements/dom.ts';
import { decisionIcon } from '../elements/icons.ts';
import type { Look } from '../elements/look.ts';
import type { Locale } from '../shell/locale.ts';
import type { LinkedResult } from './result-link.ts';
import { lookOf } from './verdict-state.ts';

/** Looks by severity, the most severe first. An unvisited page today does not contradict one that was seen then. */
const GRAVITY: readonly Look[] = ['block', 'warn', 'caution', 'unseen', 'allow'];

/** Shows a signed result, its age, and today's verdict, which comes first if it is more severe. */
export function signedResult(
  result: LinkedResult,
  signature: string,
  today: TodaysVerdict | null,
  { say, format }: Locale,
  view: (mismatch: Mismatch | null, signature: string) => HTMLElement,
): Child {
  const mismatch = result.mismatch ? { says: result.mismatch.says, goesTo: result.mismatch.goes_to } : null;
  const time = format.moment(result.timestamp);
  const signed = html(
    'p',
    { class: 'signed', role: 'status' },
    `${say('linked.signed', { time })} (${format.since(result.timestamp)})`,
  );
  const section = view(mismatch, signature);
  if (today === null) return [signed, section];
  const look = lookToday(today);
  const words = { decision: say(`decision.${look}`) };
  const isGraver = GRAVITY.indexOf(look) < Math.min(GRAVITY.indexOf(lookOf({ result, mismatch })), 3);
  if (!isGraver) return [signed, html('p', { class: 'muted' }, say('linked.today.same', words)), section];
  return [
    html(
      'div',
      { class: `verdict today ${look}`, role: 'alert', 'data-today': today.decision },
      html(
        'div',
        { class: 'verdict-head' },
        decisionIcon(look),
        html('div', {}, html('h2', {}, words.decision), html('p', {}, say('linked.today.worse', words))),
      ),
    ),
    html('details', { class: 'outdated card' }, html('summary', {}, say('linked.then', { time })), signed, section),
  ];
}

function lookToday({ decision, caution }: TodaysVerdict): Look {
  if (decision !== 'allow') return decision;
  return caution ? 'caution' : 'unseen';
}
