import { type Failure, FailureError } from '#src/core/base/failure.ts';
import type { HostObservations, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Observation } from '#src/network/probes/probe.ts';

const NO_SUCH_NAME: Failure = new FailureError('dns_nxdomain').failure;

/**
 * What of a look may go into an answer to somebody who is not the operator: a name that leads where checks may not go is
 * as one that does not exist, so that nobody reads the names of an inner network off our answers. Nor does a name without
 * an address tell more: an alias, which one that leads inside would be told from, or a name that only has others below it.
 * What needs no DNS to be known, such as a refused address that stands in the URL itself, stays; so does a name with public
 * addresses beside others, which is public.
 */
export function forStrangers(observations: Observations): Observations {
  const { page, landing } = observations;
  return {
    ...observations,
    ...hostForStrangers(observations),
    page: page.state === 'observed' ? { ...page, value: visitForStrangers(page.value) } : concealed(page),
    landing: landing && { host: landing.host, ...hostForStrangers(landing) },
  };
}

function hostForStrangers(seen: HostObservations): HostObservations {
  return {
    dns: dnsForStrangers(seen.dns),
    registration: concealed(seen.registration),
    certificate: concealed(seen.certificate),
  };
}

function dnsForStrangers(dns: HostObservations['dns']): HostObservations['dns'] {
  if (dns.state !== 'observed') return concealed(dns);
  const { a, aaaa, cname, unanswered } = dns.value;
  const mayHaveAddress = cname.length === 0 && unanswered.some((question) => question === 'A' || question === 'AAAA');
  const isNowhere = a.length + aaaa.length === 0 && !mayHaveAddress;
  return isNowhere ? { state: 'failed', failure: NO_SUCH_NAME, elapsedMs: dns.elapsedMs } : dns;
}

/** A visit that was sent on to such a name. */
function visitForStrangers(visit: PageVisit): PageVisit {
  return visit.stopped ? { ...visit, stopped: concealedFailure(visit.stopped) } : visit;
}

function concealed<T>(observation: Observation<T>): Observation<T> {
  return observation.state === 'failed'
    ? { ...observation, failure: concealedFailure(observation.failure) }
    : observation;
}

function concealedFailure(failure: Failure): Failure {
  return failure.code === 'egress_denied_name' ? NO_SUCH_NAME : failure;
}
