import type { TodaysVerdict } from '#src/checks/record/todays-verdict.ts';
import { defang } from '#src/core/url/defang.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';
import { RefusalError, requestVerification, type Verification } from '../api/api.ts';
import { type Child, html } from '../elements/dom.ts';
import { decisionIcon } from '../elements/icons.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import { fill } from '../elements/loading.ts';
import type { Look } from '../elements/look.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOfLink } from '../shell/route.ts';
import { type LinkedResult, unpackResult } from './result-link.ts';
import { resultView } from './result-view.ts';
import { loadNames } from './shown-host.ts';
import { lookOf } from './verdict-state.ts';

/** Looks by severity, the most severe first. An unvisited page today does not contradict one that was seen then. */
const GRAVITY: readonly Look[] = ['block', 'warn', 'caution', 'unseen', 'allow'];

/** Shows a signed result, its age, and today's verdict, which comes first if it is more severe. */
function signedResult(
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

/** Context of a linked result. */
export interface Around {
  readonly settings: PageSettings;
  /** True unless the link says that its result is in the public log. */
  readonly isPrivate: boolean;
  /** Checks a link again. */
  recheck(url: string, isPrivate: boolean): void;
}

/**
 * Shows a result from a link. If this service signed it, it is shown unchanged. Otherwise only the checked link is
 * shown, and how to check it: a forged verdict must not be on this page.
 */
export function linkedResult(link: string, locale: Locale, around: Around, leaving: AbortSignal): HTMLElement {
  const { say } = locale;
  const place = html('div', { class: 'linked' }, html('p', { role: 'status', class: 'muted' }, say('history.loading')));
  void fill(place, read(link, leaving), (found) => shown(found, link, locale, around), locale, leaving);
  return html('div', { class: 'check-page' }, html('h1', { tabindex: -1 }, say('route.result')), place);
}

interface Found {
  readonly result: LinkedResult | null;
  /** Null if the service could not be asked. */
  readonly verification: Verification | null;
}

async function read(link: string, leaving: AbortSignal): Promise<Found> {
  const asked = requestVerification(link, leaving).catch((error: unknown) => {
    if (error instanceof RefusalError && error.refusal.status === 0) return null;
    throw error;
  });
  const [result, verification] = await Promise.all([unpackResult(link), asked]);
  if (result !== null) await loadNames(result.analysis_details);
  return { result, verification };
}

function shown(
  { result, verification }: Found,
  link: string,
  locale: Locale,
  { settings, isPrivate, recheck }: Around,
): Child {
  const { say } = locale;
  if (result === null) return html('p', { class: 'complaint', role: 'alert' }, say('linked.broken'));
  const again = () => recheck(result.url, isPrivate);
  if (verification?.is_signed) {
    const signature = link.slice(link.indexOf('.') + 1);
    return signedResult(result, signature, verification.today, locale, (of) =>
      resultView({ result, signature, isPrivate: null, mismatch: of }, locale, settings, again),
    );
  }
  const reason = say(verification === null ? 'linked.today.unknown' : 'linked.unsigned');
  const url = String(result.analysis_details.normalized_url);
  return html(
    'div',
    { class: 'mismatch', role: 'alert' },
    decisionIcon('block'),
    html(
      'div',
      {},
      html('p', {}, reason),
      html('p', {}, literal(defang(url), 'mono')),
      lead(hrefOfLink(url, isPrivate), '', say('check.submit')),
    ),
  );
}
