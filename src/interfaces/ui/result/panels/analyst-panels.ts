import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../../elements/dom.ts';
import { position } from '../../elements/position.ts';
import type { Locale } from '../../shell/locale.ts';
import { isLinkAlone } from '../completeness.ts';
import { facts } from '../facts.ts';
import { certificatePanel } from './certificate-panel.ts';
import { dnsPanel } from './dns-panel.ts';
import { pagePanel } from './page-panel.ts';
import { panel } from './panel.ts';
import { rawPanel } from './raw-panel.ts';
import { registrationPanel } from './registration-panel.ts';
import { waterfall } from './waterfall.ts';

/** Everything that was seen, for those who read more than the answer. */
export function analystPanels(result: CheckResult, locale: Locale): readonly Child[] {
  const details = result.analysis_details;
  return [
    waterfall(details, locale),
    html(
      'div',
      { class: 'panels' },
      // Each panel has a fixed side, so that it is always found in the same place.
      html('div', {}, pagePanel(details, locale), unavailablePanel(details, locale), namePanels(result, locale)),
      html('div', {}, componentScores(details, locale), certificatePanels(details, locale)),
    ),
    rawPanel(result, locale),
  ];
}

/** Builds the panels of registry and DNS on the link's own site, and on the one on which it ends. */
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

/** Builds the score of each component by itself; the middle of its bar is neutral. */
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
