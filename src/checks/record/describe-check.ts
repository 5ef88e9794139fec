import { isoTime } from '#src/core/base/clock.ts';
import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { displayName, toPlainLookAlike } from '#src/core/url/confusable.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { byComponent } from '#src/engine/analyzers/index.ts';
import type { AssessedHop, Assessment, Contribution } from '#src/engine/fusion/fuse.ts';
import type { CertificateInfo } from '#src/network/certificate/info.ts';
import type { DnsRecords, Observation, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Registration } from '#src/network/registry/registration-facts.ts';
import type { AnalysisDetails, CheckResult, HostParts, Reason } from './check-result.ts';
import { type DecidedBy, decidingEntry, type GateMark, ownerOf, type Via } from './decided-by.ts';
import {
  type CertInfoJson,
  DISABLED_COMPONENTS,
  DISABLED_LOOKUP,
  type DnsRecordsJson,
  type LookupStatus,
  lookupStatus,
  type MissedStatus,
  missedStatus,
  type Unavailable,
  type WhoisInfoJson,
} from './lookups.ts';
import { needsCaution } from './reasons/caution.ts';
import { explainDecisive, explainReason } from './reasons/explain.ts';

/** A finished check before it is logged. */
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
  readonly via: Via;
  /** Present if the gate held the request, or would have. */
  readonly gate?: GateMark | undefined;
}

/** Returns the API's result of a check, neither truncated nor masked yet. */
export function describeCheck(check: FinishedCheck): CheckResult {
  const { target, assessment } = check;
  return {
    url: target.input,
    malicious_probability: assessment.verdict.probability,
    decision: assessment.decision,
    analysis_details: describeAnalysis(check),
    timestamp: isoTime(check.startedAtMs),
    request_id: check.requestId,
  };
}

function describeAnalysis(check: FinishedCheck): AnalysisDetails {
  const { target, assessment, elapsedMs, stagesMs, via, gate } = check;
  const observations = { ...check.observations, certificate: certificateOf(target, check.observations.certificate) };
  const { verdict } = assessment;
  const visit = observations.page.state === 'observed' ? observations.page.value : null;
  const reasons = verdict.contributions.map(explainReason);
  const { counterfactual, counterfactual_reason } = explainDecisive(
    assessment.counterfactual,
    verdict.contributions,
    reasons,
  );
  const scored = { base_log_odds: verdict.baseLogOdds, reasons: verdict.contributions };
  return {
    probability: verdict.probability,
    coverage: assessment.coverage,
    caution: needsCaution({
      decision: assessment.decision,
      malicious_probability: verdict.probability,
      analysis_details: scored,
    }),
    html_available: visit?.document != null,
    status_code: visit?.statusCode ?? 0,
    content_length: visit?.contentLength ?? 0,
    analysis_time: seconds(elapsedMs),
    individual_scores: describeScores(verdict.scores),
    dns_records: describeDns(observations.dns),
    whois_info: describeRegistration(observations.registration),
    cert_info: describeCertificate(observations.certificate),
    base_log_odds: verdict.baseLogOdds,
    reasons,
    unavailable: describeUnavailable(observations),
    thresholds: assessment.thresholds,
    normalized_url: target.url,
    host_parts: describeHost(target.host),
    final_url: visit?.finalUrl ?? null,
    redirects: assessment.hops.map(describeHop),
    unwrapped_urls: [...assessment.unwrappedUrls],
    brand: assessment.brand && { ...assessment.brand, domains: [...assessment.brand.domains] },
    page: describePage(visit),
    counterfactual,
    timings: { observe: seconds(stagesMs.observe), assess: seconds(stagesMs.assess) },
    model_version: assessment.modelVersion,
    ...(observations.landing && { landing: describeLanding(observations.landing, visit) }),
    counterfactual_reason,
    via,
    decided_by: describeDecidedBy(assessment.decision, reasons, counterfactual_reason, check.observations),
    render: describeRender(check.observations.render, visit, verdict.contributions),
    ...(gate && { gate }),
  };
}

/** Rounds a duration up to the microsecond, which a record stores in half the bytes of a double. */
function seconds(ms: number): number {
  return Math.ceil(ms * 1000) / 1e6;
}

function describeRender(
  report: Observations['render'],
  visit: PageVisit | null,
  contributions: readonly Contribution[],
): AnalysisDetails['render'] {
  if (report === undefined) return null;
  const { finalUrl, screenshot, ...counts } = report;
  const { picture } = contributions.find(({ code }) => code === 'page.own_look')?.args ?? {};
  const more = {
    ...(visit?.look && { fields: visit.look.fields.map((box) => [...box]) }),
    ...(typeof picture === 'string' && { own_picture: picture }),
  };
  return { ...counts, final_url: finalUrl, screenshot: screenshot && { ...screenshot, url: null, ...more } };
}

function describeDecidedBy(
  decision: CheckResult['decision'],
  reasons: readonly Reason[],
  decisive: AnalysisDetails['counterfactual_reason'],
  observations: Observations,
): DecidedBy | null {
  const decided = decidingEntry(decision, reasons, decisive);
  return decided && { ...decided, source: ownerOf(decided.list, observations) };
}

function describeHop(hop: AssessedHop): AnalysisDetails['redirects'][number] {
  const { url, status, location, address, how, followed, probability, decision } = hop;
  return { url, status, location, address, how, followed, malicious_probability: probability, decision };
}

/** Describes the landing site of the redirects, if it is not the requested site. */
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

/** Returns the scores of all components, null for one without a score. */
export function describeScores(scores: Assessment['verdict']['scores']): AnalysisDetails['individual_scores'] {
  return byComponent((component) => scores[component] ?? null);
}

/**
 * Returns the certificate's observation. Certificates of `http:` URLs are probed too, but a missing one is not a
 * failure.
 */
function certificateOf(
  { scheme }: Pick<Target, 'scheme'>,
  seen: Observations['certificate'],
): Observations['certificate'] {
  const isMissed = seen.state === 'failed' || (seen.state === 'skipped' && seen.reason !== 'disabled');
  return scheme === 'http' && isMissed ? { state: 'skipped', reason: 'not_applicable' } : seen;
}

/** Probed components, by the names under which they can be unavailable. */
export const PROBED_COMPONENTS = ['page', 'dns', 'registration', 'certificate', 'lists'] as const;

function describeUnavailable(observations: Observations): Unavailable[] {
  const unavailable: Unavailable[] = [];
  for (const component of PROBED_COMPONENTS) {
    const reason =
      component === 'page' ? pageStatus(observations.page) : lookupStatus(ofComponent(component, observations));
    if (reason !== 'ok') unavailable.push({ component, reason });
  }
  const isBlind = unavailable.length === PROBED_COMPONENTS.length && unavailable.every(isDisabled);
  return isBlind ? DISABLED_COMPONENTS : unavailable;
}

function isDisabled({ reason }: Unavailable): boolean {
  return reason === 'disabled';
}

/** Campaign detection is reported under the name of the lists. */
function ofComponent(component: Exclude<(typeof PROBED_COMPONENTS)[number], 'page'>, observations: Observations) {
  return (component === 'lists' && observations.campaign) || observations[component];
}

/** Returns the status of the page. A visit that was stopped after redirects has the status of what stopped it. */
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

/** Splits a host into its parts. */
export function describeHost({ text, subdomain, site, registrable }: Host): HostParts {
  const unicode = displayName(text);
  return {
    ascii: text,
    unicode,
    subdomain,
    site,
    registrable_domain: registrable,
    lookalikes: lookalikesOf(unicode),
  };
}

function lookalikesOf(unicode: string): HostParts['lookalikes'] {
  if (isAscii(unicode)) return [];
  const beyondAscii = new Set([...unicode].filter((character) => character > '\x7f'));
  return [...beyondAscii].flatMap((character) => {
    const plain = toPlainLookAlike(character);
    return /^[\x20-\x7e]+$/.test(plain) ? [{ character, looks_like: plain }] : [];
  });
}

/** Returns the `dns_records` of an observation. */
function describeDns(observation: Observation<DnsRecords>): DnsRecordsJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { a, aaaa, cname, ns, mx, soa, txt, caa, spf, dmarc, authenticated } = observation.value;
  const addresses = (records: DnsRecords['a']) =>
    records.map(({ address, ttlSeconds }) => ({ address, ttl_seconds: ttlSeconds }));
  return {
    status: 'ok',
    a: addresses(a),
    aaaa: addresses(aaaa),
    cname: [...cname],
    ns: [...ns],
    mx: mx.map(({ exchange, preference }) => ({ exchange, preference })),
    soa: soa && { primary: soa.primary, contact: soa.contact, serial: soa.serial },
    txt: [...txt],
    caa: caa.map(({ flags, tag, value }) => ({ flags, tag, value })),
    spf,
    dmarc,
    authenticated,
  };
}

/** Returns the `whois_info` of an observation. */
function describeRegistration(observation: Observation<Registration>): WhoisInfoJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { value } = observation;
  return {
    status: 'ok',
    source: value.source,
    registrar: value.registrar,
    created_at: value.createdAt,
    updated_at: value.updatedAt,
    expires_at: value.expiresAt,
    age_days: value.ageDays,
    statuses: [...value.statuses],
    nameservers: [...value.nameservers],
    registrant_country: value.registrantCountry,
  };
}

/** Returns the `cert_info` of an observation. */
function describeCertificate(observation: Observation<CertificateInfo>): CertInfoJson {
  if (observation.state !== 'observed') return missedLookup(observation);
  const { value } = observation;
  return {
    status: 'ok',
    trusted: value.trusted,
    faults: [...value.faults],
    subject: value.subject,
    issuer: value.issuer,
    sans: [...value.sans],
    valid_from: value.validFrom,
    valid_to: value.validTo,
    days_remaining: value.daysRemaining,
    age_days: value.ageDays,
    key: value.key,
    signature_algorithm: value.signatureAlgorithm,
    fingerprint_sha256: value.fingerprintSha256,
    chain: [...value.chain],
    protocol: value.protocol,
  };
}

function missedLookup(observation: Parameters<typeof missedStatus>[0]): { status: MissedStatus } {
  const status = missedStatus(observation);
  return status === 'disabled' ? DISABLED_LOOKUP : { status };
}
