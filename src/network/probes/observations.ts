import type { CertificateFacts, CertificateInfo } from '#src/network/certificate/info.ts';
import type { Registration, RegistryAnswer } from '#src/network/registry/registration.ts';
import type { CampaignSightings } from './campaign-sightings.ts';
import type { DnsRecords } from './dns-records.ts';
import type { HopListHits, ListHits } from './list-hits.ts';
import type { PageVisit } from './page-visit.ts';
import type { Observation, SkipReason } from './probe.ts';

/** What each probe of a host sees, as it stands at the time of the check; a new probe is a line here and one in the registry. */
export interface HostValues {
  readonly dns: DnsRecords;
  readonly registration: Registration;
  readonly certificate: CertificateInfo;
}

/** What each probe of a host brings back: facts with dates in place of ages, so that it can be kept. */
export interface HostFinds extends Omit<HostValues, 'registration' | 'certificate'> {
  readonly registration: RegistryAnswer;
  readonly certificate: CertificateFacts;
}

/** What each probe of a check sees. */
export interface ProbeValues extends HostValues {
  readonly page: PageVisit;
}

export type ProbeName = keyof ProbeValues;

/** The probes that look at a host, by the names under which they are observed. */
export const HOST_PROBE_NAMES = Object.keys({
  dns: true,
  registration: true,
  certificate: true,
} satisfies Record<keyof HostValues, true>) as readonly (keyof HostValues)[];

/** What was seen of a host. */
export type HostObservations = { readonly [Name in keyof HostValues]: Observation<HostValues[Name]> };

/** Everything that was seen of a target, as plain JSON, so that it can be kept and judged again. */
export type Observations = { readonly [Name in ProbeName]: Observation<ProbeValues[Name]> } & {
  /** On which of the operator's own lists the target is. */
  readonly lists: Observation<ListHits>;
  /** The same for each URL that the target leads to and that is on one; absent if none is. */
  readonly hopLists?: readonly HopListHits[];
  /** The host on which the redirects ended, where that is another site; null otherwise. */
  readonly landing: (HostObservations & { readonly host: string }) | null;
  /** What of it this box was shown on other sites before; absent where that is not remembered, or not for this check. */
  readonly campaign?: Observation<CampaignSightings>;
};

/** Something for each probe of a host: what `make` gives for the probe of a name, which is the index-th of the list. */
export function ofEachHostProbe<Values extends Readonly<Record<keyof HostValues, unknown>>>(
  make: (name: keyof HostValues, index: number) => unknown,
): Values {
  // The keys are those of the list; that each has the value of its own probe is for `make` to see to.
  return Object.fromEntries(HOST_PROBE_NAMES.map((name, index) => [name, make(name, index)])) as Values;
}

/** The observations of a check that looked at nothing beyond this machine. */
export function unobserved(reason: SkipReason, lists: Observations['lists']): Observations {
  const skipped = { state: 'skipped', reason } as const;
  return { ...ofEachHostProbe<HostObservations>(() => skipped), page: skipped, lists, landing: null };
}
