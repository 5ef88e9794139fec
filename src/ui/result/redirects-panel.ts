import type { AnalysisDetails } from '#src/record/check-result.ts';
import { html } from '../elements/dom.ts';
import { literal } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { notFollowed } from './destination.ts';
import { panel } from './panel.ts';

/** The way from the link to the page; null where no page was fetched. */
export function redirectsPanel(details: AnalysisDetails, { say }: Locale): HTMLElement | null {
  const { redirects, final_url } = details;
  const unvisited = notFollowed(details);
  if (final_url === null && redirects.length === 0) return null;
  const stops = redirects.map(({ url, status, location, address }, index) =>
    html(
      'li',
      {},
      literal(url, 'mono'),
      html(
        'span',
        { class: 'note' },
        `HTTP ${status}`,
        address !== null && [' · ', literal(address)],
        location === null && ` · ${say('redirects.nowhere')}`,
        // Where the next stop is what was pointed to, it says so itself.
        location !== null &&
          location !== (redirects[index + 1]?.url ?? unvisited ?? final_url) && [
            ` ${say('redirects.arrow')} `,
            literal(location),
          ],
      ),
    ),
  );
  return panel(
    'redirects',
    say('redirects.title'),
    redirects.length === 0 ? say('redirects.none') : say.count('redirects.count', redirects.length),
    html(
      'ol',
      { class: 'route' },
      stops,
      final_url !== null &&
        html(
          'li',
          { class: 'end' },
          literal(unvisited ?? final_url, 'mono'),
          html('span', { class: 'note' }, say(unvisited === null ? 'redirects.final' : 'redirects.notFollowed')),
        ),
    ),
  );
}
