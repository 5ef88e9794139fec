import { byComponent } from '#src/engine/analyzers/index.ts';
import type { AssessedHop, Assessment } from '#src/engine/fusion/assessment.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Target } from '#src/core/url/target.ts';
import type { AnalysisDetails, CheckResult } from './check-result.ts';
import { describeHost } from './describe-host.ts';
import { describeCertificate, describeDns, describeRegistration } from './describe-lookups.ts';
import { fitRecord } from './fit-record.ts';
import { type LookupStatus, lookupStatus, type Unavailable } from './lookup-status.ts';
import type { UnexplainedResult } from './reasons/args.ts';
import { needsCaution } from './reasons/caution.ts';

/** One check, finished but not yet written down. */
export interface FinishedCheck {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  readonly elapsedMs: number;
  /** Milliseconds by stage. */
  readonly stagesMs: Readonly<Record<'observe' | 'assess', number>>;
  readonly target: Target;
  readonly observations: Observations;
  readonly assessment: Assessment;
}

/** The check in the specification's shape, nothing in it masked as yet. */
export function describeCheck(check: FinishedCheck): CheckResult {
  const { target, assessment } = check;
  const result = {
    url: target.input,
    malicious_probability: assessment.verdict.probability,
    decision: assessment.decision,
    analysis_details: describeAnalysis(check),
    timestamp: new Date(check.startedAtMs).toISOString(),
    request_id: check.requestId,
  };
  return fitRecord(result);
}

function describeAnalysis({
  target,
  assessment,
  elapsedMs,
  stagesMs,
  ...seen
}: FinishedCheck): UnexplainedResult['analysis_details'] {
  const observations = { ...seen.observations, certificate: certificateOf(target, seen.observations.certificate) };
  const { verdict } = assessment;
  const visit = observations.page.state === 'observed' ? observations.page.value : null;
  const judged = { base_log_odds: verdict.baseLogOdds, reasons: verdict.contributions };
  return {
    probability: verdict.probability,
    coverage: assessment.coverage,
    caution: needsCaution({
      decision: assessment.decision,
      malicious_probability: verdict.probability,
      analysis_details: judged,
    }),
    html_available: visit?.document != null,
    status_code: visit?.statusCode ?? 0,
    content_length: visit?.contentLength ?? 0,
    analysis_time: elapsedMs / 1000,
    individual_scores: describeScores(verdict.scores),
    dns_records: describeDns(observations.dns),
    whois_info: describeRegistration(observations.registration),
    cert_info: describeCertificate(observations.certificate),
    base_log_odds: verdict.baseLogOdds,
    reasons: verdict.contributions,
    unavailable: describeUnavailable(observations),
    thresholds: { ...assessment.thresholds },
    normalized_url: target.url,
    host_parts: describeHost(target.host),
    final_url: visit?.finalUrl ?? null,
    redirects: assessment.hops.map(describeHop),
    unwrapped_urls: [...assessment.unwrappedUrls],
    brand: assessment.brand && { ...assessment.brand, domains: [...assessment.brand.domains] },
    page: describePage(visit),
    counterfactual: assessment.counterfactual,
    timings: { observe: stagesMs.observe / 1000, assess: stagesMs.assess / 1000 },
    model_version: assessment.modelVersion,
    ...(observations.landing && { landing: describeLanding(observations.landing, visit) }),
  };
}

function describeHop(hop: AssessedHop): AnalysisDetails['redirects'][number] {
  const { url, status, location, address, how, followed, probability, decision } = hop;
  return { url, status, location, address, how, followed, malicious_probability: probability, decision };
}

/** The records of the site on which the redirects ended, where that is another one than the site that was asked for. */
function describeLanding(
  landing: NonNullable<Observations['landing']>,
  visit: PageVisit | null,
): NonNullable<AnalysisDetails['landing']> {
  const scheme = visit?.finalUrl.startsWith('http:') ? 'http' : 'https';
  return {
    host: landing.host,
    dns_records: describeDns(landing.dns),
    whois_info: describeRegistration(landing.registration),
    cert_info: describeCertificate(certificateOf({ scheme }, landing.certificate)),
  };
}

/** The scores of all components, null for one that has none. */
export function describeScores(scores: Assessment['verdict']['scores']): AnalysisDetails['individual_scores'] {
  return byComponent((component) => scores[component] ?? null);
}

/** A certificate is looked for behind an `http:` URL as well, but that has none to show: not to find one is no failure. */
function certificateOf(
  { scheme }: Pick<Target, 'scheme'>,
  seen: Observations['certificate'],
): Observations['certificate'] {
  const isMissed = seen.state === 'failed' || (seen.state === 'skipped' && seen.reason !== 'disabled');
  return scheme === 'http' && isMissed ? { state: 'skipped', reason: 'not_applicable' } : seen;
}

/** What is looked at beyond the URL itself, by the names under which it can be unavailable. */
export const LOOKED_AT = ['page', 'dns', 'registration', 'certificate', 'lists'] as const;

function describeUnavailable(observations: Observations): Unavailable[] {
  const unavailable: Unavailable[] = [];
  for (const component of LOOKED_AT) {
    const reason =
      component === 'page' ? pageStatus(observations.page) : lookupStatus(ofComponent(component, observations));
    if (reason !== 'ok') unavailable.push({ component, reason });
  }
  return unavailable;
}

/** What this box remembers of other checks is looked at under the name of its lists. */
function ofComponent(component: Exclude<(typeof LOOKED_AT)[number], 'page'>, observations: Observations) {
  return (component === 'lists' && observations.campaign) || observations[component];
}

/** A visit that saw redirects and never came to a page was stopped by something, which is what a reader wants to know. */
function pageStatus(page: Observations['page']): LookupStatus {
  const stopped = page.state === 'observed' && page.value.document === null ? page.value.stopped : null;
  return lookupStatus(stopped ? { state: 'failed', failure: stopped, elapsedMs: 0 } : page);
}

function describePage(visit: PageVisit | null): AnalysisDetails['page'] {
  if (!visit?.document) return null;
  const { title, forms } = visit.document;
  return {
    title,
    forms: forms.map(({ action, method, fields }) => ({ action, method, fields: fields.map(({ type }) => type) })),
  };
}
