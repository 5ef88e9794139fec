import { type Failure, FailureError } from '#src/core/base/failure.ts';
import type { HostObservations, Observation, Observations } from '#src/network/probes/observations.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';

const NO_SUCH_NAME: Failure = new FailureError('dns_nxdomain').failure;

/**
 * Removes from observations what would reveal the internal network to anyone but the operator. A name that resolves to
 * a denied address looks like one that does not exist, and so does a name without an address, such as an alias. A
 * denied address literal in the URL stays, because no DNS query is needed to know it; a name with both public and
 * internal addresses counts as public.
 */
export function hideInternalAddresses(observations: Observations): Observations {
  const { page, landing } = observations;
  return {
    ...observations,
    ...hideInHost(observations),
    page: page.state === 'observed' ? { ...page, value: hideInVisit(page.value) } : hideInObservation(page),
    landing: landing && { host: landing.host, ...hideInHost(landing) },
  };
}

function hideInHost(seen: HostObservations): HostObservations {
  return {
    dns: hideInDns(seen.dns),
    registration: hideInObservation(seen.registration),
    certificate: hideInObservation(seen.certificate),
  };
}

function hideInDns(dns: HostObservations['dns']): HostObservations['dns'] {
  if (dns.state !== 'observed') return hideInObservation(dns);
  const { a, aaaa, cname, unanswered } = dns.value;
  const mayHaveAddress = cname.length === 0 && unanswered.some((question) => question === 'A' || question === 'AAAA');
  const isNowhere = a.length + aaaa.length === 0 && !mayHaveAddress;
  return isNowhere ? { state: 'failed', failure: NO_SUCH_NAME, elapsedMs: dns.elapsedMs } : dns;
}

/** Hides a denied name that a visit was redirected to. */
function hideInVisit(visit: PageVisit): PageVisit {
  return visit.stopped ? { ...visit, stopped: hideInFailure(visit.stopped) } : visit;
}

function hideInObservation<T>(observation: Observation<T>): Observation<T> {
  return observation.state === 'failed' ? { ...observation, failure: hideInFailure(observation.failure) } : observation;
}

function hideInFailure(failure: Failure): Failure {
  return failure.code === 'egress_denied_name' ? NO_SUCH_NAME : failure;
}
