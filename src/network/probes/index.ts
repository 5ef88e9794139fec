import type { Target } from '#src/core/url/target.ts';
import { evaluateCertificate } from '#src/network/certificate/info.ts';
import { registrationAt } from '#src/network/registry/registration-facts.ts';
import { type CertificateContext, certificateProbe } from './certificate.ts';
import { type DnsContext, dnsProbe } from './dns.ts';
import type { HostFindings, HostValues, Probe } from './observations.ts';
import { type PageContext, pageProbe } from './page.ts';
import type { PageVisit } from './page-visit.ts';
import { type RegistrationContext, registrationProbe } from './registration.ts';

/** Dependencies of all probes. */
export type ProbeContext = DnsContext & RegistrationContext & CertificateContext & PageContext;

/** A probe and its properties for `run.ts`. */
export interface RegisteredProbe<Find, Value> extends Probe<Find, ProbeContext> {
  /** The network mode that the probe requires. */
  readonly needs: 'dns' | 'full';
  /** Returns the cache key of a finding, which is cached for a day; null if every check probes again. */
  readonly cacheKey: ((target: Target) => string) | null;
  /** Returns the value at the time of a check for a finding of any age. */
  asOf(find: Find, nowMs: number): Value;
}

/** The probes of one host. They also observe a landing host on another site. */
export const HOST_PROBES: {
  readonly [Name in keyof HostValues]: RegisteredProbe<HostFindings[Name], HostValues[Name]>;
} = {
  dns: { ...dnsProbe, needs: 'dns', cacheKey: null, asOf: unchanged },
  registration: {
    ...registrationProbe,
    needs: 'full',
    cacheKey: ({ host }) => host.registrable ?? host.text,
    asOf: registrationAt,
  },
  certificate: {
    ...certificateProbe,
    needs: 'full',
    cacheKey: ({ scheme, host, port }) => `${scheme} ${host.text} ${port}`,
    asOf: evaluateCertificate,
  },
};

/** The page visit, once per check. */
export const PAGE_PROBE: RegisteredProbe<PageVisit, PageVisit> = {
  ...pageProbe,
  needs: 'full',
  cacheKey: null,
  asOf: unchanged,
};

/** Returns findings without dates unchanged. */
function unchanged<T>(find: T): T {
  return find;
}
