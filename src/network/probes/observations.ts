import type { CertificateFacts, CertificateInfo } from '#src/network/certificate/info.ts';
import type { Registration, RegistryAnswer } from '#src/network/registry/registration.ts';
import type { CampaignSightings } from './campaign-sightings.ts';
import type { DnsRecords } from './dns-records.ts';
import type { HopListHits, ListHits } from './list-hits.ts';
import type { PageVisit } from './page-visit.ts';
import type { Observation, SkipReason } from './probe.ts';
import type { RenderReport } from './render-report.ts';

/** The value of each host probe at the time of the check. A new probe adds a line here and one in the registry. */
export interface HostValues {
  readonly dns: DnsRecords;
  readonly registration: Registration;
  readonly certificate: CertificateInfo;
}

/** The finding of each host probe, with dates instead of ages, so that it can be cached. */
export interface HostFindings extends Omit<HostValues, 'registration' | 'certificate'> {
  readonly registration: RegistryAnswer;
  readonly certificate: CertificateFacts;
}

/** The value of each probe of a check. */
export interface ProbeValues extends HostValues {
  readonly page: PageVisit;
}

export type ProbeName = keyof ProbeValues;

/** Names of the host probes. */
export const HOST_PROBE_NAMES = Object.keys({
  dns: true,
  registration: true,
  certificate: true,
} satisfies Record<keyof HostValues, true>) as readonly (keyof HostValues)[];

/** The observations of a host. */
export type HostObservations = { readonly [Name in keyof HostValues]: Observation<HostValues[Name]> };

/** All observations of a target, as plain JSON, so that they can be stored and scored again. */
export type Observations = { readonly [Name in ProbeName]: Observation<ProbeValues[Name]> } & {
  /** The hits of the target on the operator's lists. */
  readonly lists: Observation<ListHits>;
  /** The hits of each URL to which the target leads; absent if there are none. */
  readonly hopLists?: readonly HopListHits[];
  /** The host at the end of the redirects, if it is another site; else null. */
  readonly landing: (HostObservations & { readonly host: string }) | null;
  /** Earlier sightings on other sites; absent if campaign detection is disabled for this check. */
  readonly campaign?: Observation<CampaignSightings>;
  /** Absent if no browser is configured. What it saw is part of `page`. */
  readonly render?: RenderReport;
};

/** Returns an object with the result of `make` for each host probe. */
export function mapHostProbes<Values extends Readonly<Record<keyof HostValues, unknown>>>(
  make: (name: keyof HostValues, index: number) => unknown,
): Values {
  // The keys are those of the list; `make` must return the value of the right probe.
  return Object.fromEntries(HOST_PROBE_NAMES.map((name, index) => [name, make(name, index)])) as Values;
}

/** Returns the observations of a check without network access. */
export function skippedObservations(reason: SkipReason, lists: Observations['lists']): Observations {
  const skipped = { state: 'skipped', reason } as const;
  return { ...mapHostProbes<HostObservations>(() => skipped), page: skipped, lists, landing: null };
}
