import type { CertificateInfo } from './certificate.ts';
import type { DnsRecords } from './dns.ts';
import type { PageVisit } from './page.ts';
import type { Observation, SkipReason } from './probe.ts';
import type { Registration } from './registration.ts';

/** What was seen of a host. */
export interface HostObservations {
  readonly dns: Observation<DnsRecords>;
  readonly registration: Observation<Registration>;
  readonly certificate: Observation<CertificateInfo>;
}

/** Everything that was seen of a target, as plain JSON, so that it can be kept and judged again. */
export interface Observations extends HostObservations {
  readonly page: Observation<PageVisit>;
  /** The host on which the redirects ended, where that is another site; null otherwise. */
  readonly landing: (HostObservations & { readonly host: string }) | null;
}

/** The observations of a check that looked at nothing but the URL. */
export function unobserved(reason: SkipReason): Observations {
  const skipped = { state: 'skipped', reason } as const;
  return { dns: skipped, registration: skipped, certificate: skipped, page: skipped, landing: null };
}
