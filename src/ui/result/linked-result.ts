import type { CheckResult } from '#src/record/check-result.ts';
import { defang } from '#src/url/defang.ts';
import { requestVerification } from '../api/api.ts';
import { type Child, html } from '../elements/dom.ts';
import { decisionIcon } from '../elements/icons.ts';
import { lead } from '../elements/lead.ts';
import { literal } from '../elements/literal.ts';
import { fill } from '../elements/loading.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { hrefOfLink } from '../shell/route.ts';
import { unpackResult } from './result-link.ts';
import { resultView } from './result-view.ts';

/**
 * A result that came with a link. Where this service signed it, it is shown as it was. Of anything else only the checked
 * link is shown, and how to check it: a verdict that somebody made up must not stand on this page.
 */
export function linkedResult(link: string, locale: Locale, settings: PageSettings, leaving: AbortSignal): HTMLElement {
  const { say } = locale;
  const place = html('div', { class: 'linked' }, html('p', { role: 'status', class: 'muted' }, say('history.loading')));
  void fill(place, read(link, leaving), (found) => shown(found, link, locale, settings), locale, leaving);
  return html('div', { class: 'check-page' }, html('h1', { tabindex: -1 }, say('route.result')), place);
}

interface Found {
  readonly result: CheckResult | null;
  readonly isSigned: boolean;
}

async function read(link: string, leaving: AbortSignal): Promise<Found> {
  const [result, isSigned] = await Promise.all([unpackResult(link), requestVerification(link, leaving)]);
  return { result, isSigned };
}

function shown({ result, isSigned }: Found, link: string, locale: Locale, settings: PageSettings): Child {
  const { say, format } = locale;
  if (result === null) return html('p', { class: 'complaint', role: 'alert' }, say('linked.broken'));
  if (isSigned) {
    const again = () => {
      location.hash = hrefOfLink(result.url);
    };
    const signature = link.slice(link.indexOf('.') + 1);
    return [
      html('p', { class: 'signed', role: 'status' }, say('linked.signed', { time: format.moment(result.timestamp) })),
      resultView({ result, signature, isPrivate: null, mismatch: null }, locale, settings, again),
    ];
  }
  const url = String(result.analysis_details.normalized_url);
  return html(
    'div',
    { class: 'mismatch', role: 'alert' },
    decisionIcon('block'),
    html(
      'div',
      {},
      html('p', {}, say('linked.unsigned')),
      html('p', {}, literal(defang(url), 'mono')),
      lead(hrefOfLink(url), '', say('check.submit')),
    ),
  );
}
