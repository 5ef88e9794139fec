import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { type Child, html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { actions } from './actions.ts';
import { componentScores } from './component-scores.ts';
import { certificatePanel } from './panels/certificate-panel.ts';
import { dnsPanel } from './panels/dns-panel.ts';
import { pagePanel } from './panels/page-panel.ts';
import { rawPanel } from './panels/raw-panel.ts';
import { redirectsPanel } from './panels/redirects-panel.ts';
import { registrationPanel } from './panels/registration-panel.ts';
import { unavailablePanel } from './panels/unavailable-panel.ts';
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
      html('div', {}, verdict(masked, locale), reasonList(details, locale)),
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
    waterfall(details, locale),
    html(
      'div',
      { class: 'panels' },
      // Each has its side, whatever else there is, so that it is found where it was last time.
      html('div', {}, pagePanel(details, locale), unavailablePanel(details, locale), namePanels(result, locale)),
      html('div', {}, componentScores(details, locale), certificatePanels(details, locale)),
    ),
    rawPanel(result, locale),
  );
  return section;
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
