import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { decisionChip } from '../../elements/decision-marks.ts';
import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { splitUrl } from '../destination.ts';
import { foreignList, panel } from '../facts.ts';
import { type WayStop, wayOf } from './hops.ts';

/** Shows the redirects as a row of stops; null if no page was fetched and there are no redirects. */
export function redirectsPanel(details: AnalysisDetails, locale: Locale): HTMLElement | null {
  const { say } = locale;
  if (details.final_url === null && details.redirects.length === 0) return null;
  const { visited, seen } = wayOf(details);
  const count = details.redirects.length;
  return panel(
    'redirects',
    say('redirects.title'),
    count === 0 ? say('redirects.none') : say.count('redirects.count', count),
    html(
      'ol',
      { class: 'hops' },
      visited.map((hop, at) => stop(hop, at === visited.length - 1 ? 'end' : '', locale)),
      seen.map((hop) => stop(hop, 'unvisited', locale)),
    ),
    longAddresses([...visited, ...seen]),
  );
}

/** Maximum length of an address in the drawing without its host, in UTF-16 code units. */
const MAX_DRAWN = 400;

/** Addresses longer than this, in UTF-16 code units, are cut in the drawing and repeated in full below it. */
const LONG = 80;

function longAddresses(stops: readonly WayStop[]): Child {
  const long = new Set(stops.flatMap(({ url }) => (url !== null && url.length > LONG ? url : [])));
  return long.size > 0 && foreignList([...long], '', Number.POSITIVE_INFINITY);
}

function stop(
  { url, owner, ageDays, by, address: answered }: WayStop,
  place: '' | 'end' | 'unvisited',
  locale: Locale,
): HTMLElement {
  const { say, format } = locale;
  const facts: Child[] = [
    by === null && html('span', {}, say('redirects.start')),
    place === 'end' && html('span', {}, say('redirects.final')),
    place === 'unvisited' && html('span', {}, say('redirects.notFollowed')),
    ageDays !== null && html('span', {}, say.count('registration.age', ageDays)),
    answered !== null && html('span', {}, literal(answered)),
  ];
  return html(
    'li',
    { class: `hop ${place}` },
    by &&
      html(
        'span',
        { class: 'via' },
        how(by, say),
        ' ',
        html('span', { 'aria-hidden': 'true' }, say('redirects.arrow')),
      ),
    html(
      'div',
      { class: 'hop-card' },
      url === null ? html('strong', {}, say('redirects.nowhere')) : address(url, owner),
      by?.decision && [
        html(
          'span',
          { class: `hop-verdict ${by.decision}` },
          decisionChip(by.decision, say),
          by.malicious_probability !== null &&
            html('span', { class: 'figure' }, format.percent(by.malicious_probability)),
        ),
      ],
      html('span', { class: 'note' }, facts),
    ),
  );
}

/** The owner large, and the whole address below it. */
function address(url: string, owner: string): Child {
  const parts = splitUrl(url, owner);
  return [
    html('strong', { class: 'owner' }, literal(owner)),
    html(
      'span',
      { class: 'owned-url mono', dir: 'ltr' },
      literal(parts.before),
      html('strong', {}, literal(parts.owner)),
      literal(parts.after.slice(0, MAX_DRAWN)),
    ),
  ];
}

function how({ how: kind, status }: NonNullable<WayStop['by']>, say: Locale['say']): string {
  return kind === 'http' ? `HTTP ${status ?? ''}`.trim() : say(`hop.${kind}`);
}
