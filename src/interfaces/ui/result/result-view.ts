import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { type Child, html } from '../elements/dom.ts';
import { position } from '../elements/position.ts';
import type { Speaker } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { preference } from '../shell/preference.ts';
import { actions } from './actions.ts';
import { isLinkAlone } from './completeness.ts';
import { facts } from './facts.ts';
import { certificatePanel } from './panels/certificate-panel.ts';
import { dnsPanel } from './panels/dns-panel.ts';
import { pagePanel } from './panels/page-panel.ts';
import { panel } from './panels/panel.ts';
import { rawPanel } from './panels/raw-panel.ts';
import { redirectsPanel } from './panels/redirects-panel.ts';
import { registrationPanel } from './panels/registration-panel.ts';
import { waterfall } from './panels/waterfall.ts';
import { reasonList } from './reasons/reason-list.ts';
import { seenBefore } from './seen-before.ts';
import { cautionOf, type ShownResult, shownCoverage } from './shown-result.ts';
import { urlAnatomy } from './url-anatomy.ts';
import { certainty, verdict } from './verdict.ts';

/** Everything about one check: first what to do, then why, then all that was seen. */
export function resultView(
  shown: ShownResult,
  locale: Locale,
  { isHistoryPublic }: Pick<PageSettings, 'isHistoryPublic'>,
  again: () => void,
): HTMLElement {
  const result = withoutPassword(shown.result);
  const masked = { ...shown, result };
  const details = result.analysis_details;
  const section: HTMLElement = html(
    'section',
    {
      class: 'result',
      'data-decision': result.decision,
      'data-coverage': shownCoverage(details),
      'data-caution': String(cautionOf(masked)),
      'aria-labelledby': 'result-title',
    },
    html(
      'div',
      { class: 'result-top' },
      html('div', {}, verdict(masked, locale), reasonList(masked, locale)),
      html(
        'div',
        {},
        // The site of a private check must not be in a request.
        certainty(masked, locale, isHistoryPublic && shown.isPrivate === false ? seenBefore(result, locale) : null),
        actions(masked, () => section, locale, again),
      ),
    ),
    urlAnatomy(result, locale),
    redirectsPanel(details, locale),
    analystDetails(
      locale.say,
      waterfall(details, locale),
      html(
        'div',
        { class: 'panels' },
        // Each has its side, whatever else there is, so that it is found where it was last time.
        html('div', {}, pagePanel(details, locale), unavailablePanel(details, locale), namePanels(result, locale)),
        html('div', {}, componentScores(details, locale), certificatePanels(details, locale)),
      ),
      rawPanel(result, locale),
    ),
  );
  return section;
}

const opened = preference('details');

/** Everything that was seen, folded away for those who read the answer alone; it stays open for those who open it. */
function analystDetails(say: Speaker, ...parts: readonly Child[]): HTMLElement {
  const note = () => opened.write(element.open ? 'open' : null);
  const element = html(
    'details',
    { class: 'analysts', open: opened.read() !== null, toggle: note },
    html('summary', {}, say('result.analysts')),
    html('div', {}, parts),
  );
  return element;
}

/** What the registry and the DNS say of the link's own site, and of the one on which it ends. */
function namePanels({ analysis_details: details, timestamp }: CheckResult, locale: Locale): Child {
  const { host_parts: own, landing } = details;
  const panelsOf = (lookups: Lookups, host: string, domain: string) => [
    registrationPanel(lookups.whois_info, domain, timestamp, locale),
    dnsPanel(lookups.dns_records, host, locale),
  ];
  return [
    panelsOf(details, own.unicode, own.registrable_domain ?? own.site),
    landing && panelsOf(landing, landing.host, landing.host),
  ];
}

function certificatePanels({ cert_info, host_parts, landing }: AnalysisDetails, locale: Locale): Child {
  return [
    certificatePanel(cert_info, host_parts.unicode, locale),
    landing && certificatePanel(landing.cert_info, landing.host, locale),
  ];
}

type Lookups = Pick<AnalysisDetails, 'whois_info' | 'dns_records'>;

/** What each component says by itself; the middle of its bar says nothing. */
function componentScores({ individual_scores }: AnalysisDetails, { say, format }: Locale): HTMLElement {
  const line = (name: string, score: number | null) =>
    html(
      'li',
      { class: score === null ? 'silent' : score > 0.5 ? 'for' : 'against' },
      html('span', { class: 'sign' }, say.maybe(`component.${name}`, name)),
      html('span', { class: 'track', 'aria-hidden': 'true' }, score !== null && bar(score)),
      html('span', { class: 'after' }, score === null ? say('scores.none') : format.percent(score)),
    );
  return panel(
    'scores',
    say('scores.title'),
    say('scores.lead', { half: format.percent(0.5) }),
    html(
      'ul',
      { class: 'bars' },
      Object.entries(individual_scores).map(([name, score]) => line(name, score)),
    ),
  );
}

function bar(score: number): HTMLElement {
  return position(html('span', { class: 'bar' }), { from: Math.min(score, 0.5), to: Math.max(score, 0.5) });
}

/** Shows what could not be observed, and why; null if nothing is missing. */
function unavailablePanel(details: AnalysisDetails, { say }: Locale): HTMLElement | null {
  const { unavailable } = details;
  if (unavailable.length === 0) return null;
  if (isLinkAlone(details)) return panel('unavailable', say('unavailable.title'), say('advice.offline'));
  return panel(
    'unavailable',
    say('unavailable.title'),
    say('unavailable.lead'),
    facts(
      ...unavailable.map(
        ({ component, reason }) => [say.maybe(`component.${component}`, component), status(component, reason)] as const,
      ),
    ),
  );

  /** No operator switches lists off: they name none. */
  function status(component: string, reason: string): string {
    if (component === 'lists' && reason === 'disabled') return say('status.noLists');
    return say.maybe(`status.${reason}`, reason);
  }
}
