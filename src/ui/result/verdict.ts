import { html } from '../elements/dom.ts';
import { decisionIcon } from '../elements/icons.ts';
import { literal } from '../elements/literal.ts';
import { mismatchLine } from '../elements/mismatch-line.ts';
import type { Locale } from '../shell/locale.ts';
import { completenessOf } from './completeness.ts';
import { destinationOf, hostIn, notFollowed } from './destination.ts';
import { probabilityScale } from './probability-scale.ts';
import { lookOf, type ShownResult } from './shown-result.ts';
import { splitUrl } from './split-url.ts';

/** The answer for a person who is unsure: the verdict as words, colour and shape, and one sentence on what to do. */
export function verdict(shown: ShownResult, { say, format }: Locale): HTMLElement {
  const { result, isPrivate, mismatch } = shown;
  const { analysis_details: details } = result;
  const look = lookOf(shown);
  const destination = notFollowed(details) ?? destinationOf(details);
  return html(
    'div',
    { class: `verdict ${look}` },
    html(
      'div',
      { class: 'verdict-head' },
      decisionIcon(look),
      html(
        'div',
        {},
        html('h2', { id: 'result-title', tabindex: -1 }, say(`decision.${look}`)),
        html('p', { class: 'advice' }, say(`advice.${look}`)),
      ),
    ),
    mismatch && mismatchLine(mismatch, say, 'result.mismatch'),
    html('p', { class: 'checked-url' }, urlWithItsOwner(details.normalized_url, details.host_parts.site)),
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
  );
}

/** How sure it is, and how often the site was asked about before: behind the reasons, which a person wants to know first. */
export function certainty({ result }: ShownResult, locale: Locale, seen: HTMLElement | null): HTMLElement {
  const { malicious_probability: probability, analysis_details: details } = result;
  return html(
    'div',
    { class: `certainty card ${result.decision}` },
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
