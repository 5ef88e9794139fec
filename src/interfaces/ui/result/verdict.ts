import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import { verdictHead } from '../elements/decision-marks.ts';
import { html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import { mismatchLine, warningLine } from '../elements/mismatch-line.ts';
import { position } from '../elements/position.ts';
import type { Speaker } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';
import { clickedHelp } from './clicked-help.ts';
import { completenessOf, whyUnseen } from './completeness.ts';
import { destinationOf, hostIn, notFollowed, splitUrl } from './destination.ts';
import { leadingReasons } from './reasons/leading-reasons.ts';
import { shownHost } from './shown-host.ts';
import { coverageWord, lookOf, type ShownResult, stateOf, type VerdictState } from './verdict-state.ts';

/** The answer for a person who is unsure: the verdict as words, colour and shape, and one sentence on what to do. */
export function verdict(shown: ShownResult, { say, format }: Locale): HTMLElement {
  const { result, isPrivate, mismatch } = shown;
  const { analysis_details: details } = result;
  const state = stateOf(shown);
  const look = lookOf(shown);
  const written = shownHost(details);
  const destination = notFollowed(details) ?? destinationOf(details);
  return html(
    'div',
    { class: `verdict ${look}` },
    verdictHead(look, say(`decision.${state}`), adviceOn(shown, state, say), say(`coverage.${coverageWord(details)}`)),
    mismatch && mismatchLine(mismatch, say, 'result.mismatch'),
    shown.isReversed && warningLine(say('link.reversed')),
    html(
      'p',
      { class: 'checked-url' },
      urlWithItsOwner(written(details.normalized_url), written(details.host_parts.site)),
    ),
    destination !== null &&
      html(
        'p',
        { class: 'checked-url' },
        `${say('result.leadsTo')} `,
        urlWithItsOwner(destination, hostIn(destination)),
      ),
    html(
      'p',
      { class: 'meta' },
      [
        say('result.checked', { time: format.moment(result.timestamp) }),
        ...(isPrivate === null ? [] : [say(isPrivate ? 'result.private' : 'result.public')]),
        ...completenessOf(details).map((key) => say(key)),
      ].join(' · '),
    ),
    look !== 'allow' && state !== 'listed' && clickedHelp(say),
  );
}

/** Returns the advice. It states if the page was not seen, and does not contradict reasons for phishing. */
function adviceOn({ result }: ShownResult, state: VerdictState, say: Speaker): string {
  const { analysis_details: details } = result;
  const why = whyUnseen(details, say);
  if (state === 'unreadable') return say('advice.unreadable', { why: why ?? say('unseen.error') });
  if (state === 'caution' && why !== null) return `${say('advice.caution')} ${say('advice.unseen.too', { why })}`;
  const isMixed = state === 'allow' && leadingReasons(details, state).some(({ weight }) => weight > 0);
  return say(isMixed ? 'advice.mixed' : `advice.${state}`);
}

/** Shows the certainty and how often the site was checked before, after the reasons. */
export function certainty(shown: ShownResult, locale: Locale, seen: HTMLElement | null): HTMLElement {
  const { malicious_probability: probability, analysis_details: details } = shown.result;
  return html(
    'div',
    { class: `certainty card ${lookOf(shown)}` },
    probabilityScale(probability, details.thresholds, locale),
    seen,
  );
}

/** The URL with the part that says whose it is set off from the rest, which anyone can write as they like. */
function urlWithItsOwner(url: string, site: string): HTMLElement {
  const { before, owner, after } = splitUrl(url, site);
  return html(
    'span',
    { class: 'owned-url mono', dir: 'ltr' },
    literal(before),
    html('strong', {}, literal(owner)),
    literal(after.length > 300 ? `${after.slice(0, 300)}…` : after),
  );
}

/** The probability on a line from 0 to 1, on which both thresholds are marked. */
function probabilityScale(probability: number, thresholds: Thresholds, { say, format }: Locale): HTMLElement {
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
