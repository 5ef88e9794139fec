import { judgeCertificate } from '#src/network/certificate/evaluate.ts';
import { registrationAt } from '#src/network/registry/registration.ts';
import type { Target } from '#src/core/url/target.ts';
import { type CertificateContext, certificateProbe } from './certificate.ts';
import { type DnsContext, dnsProbe } from './dns.ts';
import type { HostFinds, HostValues } from './observations.ts';
import { type PageContext, pageProbe } from './page.ts';
import type { PageVisit } from './page-visit.ts';
import type { Probe } from './probe.ts';
import { type RegistrationContext, registrationProbe } from './registration.ts';

/** What all probes together need from outside. */
export type ProbeContext = DnsContext & RegistrationContext & CertificateContext & PageContext;

/** A probe, and what `run.ts` has to know about it. */
export interface RegisteredProbe<Find, Value> extends Probe<Find, ProbeContext> {
  /** The part of the network without which there is no point in starting. */
  readonly needs: 'dns' | 'full';
  /** What an answer holds for, for a day; null where every check asks anew. */
  readonly keptBy: ((target: Target) => string) | null;
  /** What was found, whenever that was, as it stands at the time of a check. */
  asOf(find: Find, nowMs: number): Value;
}

/** The probes that look at one host; a landing host on another site is looked at by all of them too. */
export const HOST_PROBES: { readonly [Name in keyof HostValues]: RegisteredProbe<HostFinds[Name], HostValues[Name]> } =
  {
    dns: { ...dnsProbe, needs: 'dns', keptBy: null, asOf: unchanged },
    registration: {
      ...registrationProbe,
      needs: 'full',
      keptBy: ({ host }) => host.registrable ?? host.text,
      asOf: registrationAt,
    },
    certificate: {
      ...certificateProbe,
      needs: 'full',
      keptBy: ({ scheme, host, port }) => `${scheme} ${host.text} ${port}`,
      asOf: judgeCertificate,
    },
  };

/** The visit itself, which happens once a check. */
export const PAGE_PROBE: RegisteredProbe<PageVisit, PageVisit> = {
  ...pageProbe,
  needs: 'full',
  keptBy: null,
  asOf: unchanged,
};

/** For what holds no dates. */
function unchanged<T>(find: T): T {
  return find;
}
