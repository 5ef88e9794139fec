import type { AnalysisDetails, CheckResult } from '#src/checks/record/check-result.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import { position } from '../../elements/position.ts';
import type { Locale } from '../../shell/locale.ts';
import { isLinkAlone } from '../completeness.ts';
import { hostIn } from '../destination.ts';
import { facts, panel, titleOf } from '../facts.ts';
import { rawJson } from '../raw-json.ts';
import { certificatePanel, dnsPanel, registrationPanel } from './host-panels.ts';
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

/** Shows the page's content and the targets of its forms; null if no page was fetched. */
function pagePanel(details: AnalysisDetails, { say, format }: Locale): HTMLElement | null {
  const { page, status_code: status, content_length: sizeBytes } = details;
  const title = titleOf(say('page.title'), hostIn(details.final_url ?? ''));
  if (status === 0 && page === null) return null;
  const answer = facts(
    page && [
      say('page.heading'),
      page.title === null ? html('span', { class: 'muted' }, say('page.untitled')) : foreign(page.title, 'title'),
    ],
    [say('page.status'), `HTTP ${status}`],
    [say('page.size'), format.bytes(sizeBytes)],
  );
  if (page === null) return panel('page', title, say('page.notHtml'), answer);
  const forms = page.forms.slice(0, 30).map(({ action, method, fields }) =>
    html(
      'li',
      {},
      html('span', { class: 'tag' }, foreign(method.toUpperCase())),
      ` ${say('page.form.to')} `,
      action === null ? say('page.form.script') : literal(action, 'mono'),
      fields.length > 0 &&
        html(
          'span',
          { class: 'note' },
          say('page.form.fields'),
          ' ',
          fields.map((field, at) => [foreign(say.maybe(`field.${field}`, field)), format.joints(fields.length)[at]]),
        ),
    ),
  );
  return panel(
    'page',
    title,
    null,
    answer,
    html('h4', {}, say('page.forms')),
    forms.length === 0 ? html('p', { class: 'muted' }, say('page.forms.none')) : html('ul', { class: 'forms' }, forms),
  );
}

/** The answer, folded away, and how long each stage took. */
function rawPanel(result: CheckResult, { say, format }: Locale): HTMLElement {
  const { timings, analysis_time, model_version } = result.analysis_details;
  const stage = (name: string, seconds: number) => `${say.maybe(`stage.${name}`, name)} ${format.seconds(seconds)}`;
  return html(
    'div',
    { class: 'panel card raw' },
    html(
      'p',
      { class: 'note' },
      say('phrase.labelled', {
        label: say('timings.title'),
        value: [
          ...Object.entries(timings)
            .filter(([name]) => name !== 'observe' || !isLinkAlone(result.analysis_details))
            .map(([name, seconds]) => stage(name, seconds)),
          `${say('timings.total')} ${format.seconds(analysis_time)}`,
        ].join(' · '),
      }),
    ),
    html(
      'p',
      { class: 'note' },
      `${say('meta.model')} `,
      literal(model_version),
      ` · ${say('meta.id')} `,
      literal(result.request_id),
    ),
    html(
      'details',
      {},
      html('summary', {}, say('raw.title')),
      html('pre', { tabindex: 0, role: 'region', 'aria-label': say('raw.title'), dir: 'ltr' }, rawJson(result)),
    ),
  );
}
