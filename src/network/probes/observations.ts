import type { Failure } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { CertificateFacts, CertificateInfo } from '#src/network/certificate/info.ts';
import type { Registration, RegistryAnswer } from '#src/network/registry/registration-facts.ts';
import type { PageVisit } from './page-visit.ts';

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

/** Number of other sites on which something was seen before a check. */
export interface Sighting {
  /** Suspicious sites, each submitted by a client from a different network. */
  readonly sites: number;
  /** Day of the first one, in UTC, as an ISO 8601 date. */
  readonly since: string;
}

/** Parts of a target that recent public checks saw on other sites; null for parts that they did not. */
export interface CampaignSightings {
  /** The path, if it is unusual. */
  readonly path: Sighting | null;
  /** The form that asks for a secret, with the title of its page. */
  readonly form: Sighting | null;
}

/** An address record with the TTL that the resolver returned. */
export interface AddressRecord {
  readonly address: string;
  readonly ttlSeconds: number;
}

/** A query of the probe; `DMARC` is TXT at `_dmarc`. */
export type DnsQuestionName = 'A' | 'AAAA' | 'NS' | 'MX' | 'SOA' | 'TXT' | 'CAA' | 'DMARC';

/**
 * The DNS records of a host. Addresses and aliases are the host's own; all others are those of the registrable domain.
 * Names are lower case without the final dot.
 */
export interface DnsRecords {
  readonly a: readonly AddressRecord[];
  readonly aaaa: readonly AddressRecord[];
  /** The chain of aliases from the host on, in order. */
  readonly cname: readonly string[];
  readonly ns: readonly string[];
  readonly mx: readonly { readonly exchange: string; readonly preference: number }[];
  readonly soa: { readonly primary: string; readonly contact: string; readonly serial: number } | null;
  readonly txt: readonly string[];
  readonly caa: readonly { readonly flags: number; readonly tag: string; readonly value: string }[];
  /** The `v=spf1` record (RFC 7208); null if there is none. */
  readonly spf: string | null;
  /** The `v=DMARC1` record at `_dmarc` (RFC 7489); null if there is none. */
  readonly dmarc: string | null;
  /** The AD bit: the resolver validated the answer with DNSSEC (RFC 4035 §3.2.3). */
  readonly authenticated: boolean;
  /** Queries without an answer: for these, an empty list above does not mean that there are no records. */
  readonly unanswered: readonly DnsQuestionName[];
}

/** An entry of an operator's list that covers the target. */
export interface ListHit {
  /** Name of the list; for one that a setting names, its file name without folders. */
  readonly list: string;
  readonly entry: string;
  /** Counted from 1. */
  readonly line: number;
}

/** An entry of a stored list that covers the target. */
export interface StoredListHit extends ListHit {
  readonly action: 'block' | 'allow';
  /** Weight in log-odds (nats); null if the list decides alone. */
  readonly weight: number | null;
  /** Time at which the entry was added, in milliseconds since the Unix epoch. */
  readonly addedAtMs: number;
  /** Owner of the list; absent in observations of earlier versions. */
  readonly owner?: string;
  /** Larger for entries that cover fewer URLs; comparable between lists. */
  readonly narrowness: number;
}

/** The hits of a target on the operator's lists. */
export interface ListHits {
  readonly blocked: ListHit | null;
  readonly allowed: ListHit | null;
  /** The narrowest entry of each stored list; absent if there is none. */
  readonly kept?: readonly StoredListHit[];
  /** The hits of the URLs that the target wraps; absent if there is none. */
  readonly inside?: readonly HopListHits[];
}

/** The list hits of a URL to which the target leads, or which it wraps. */
export interface HopListHits {
  readonly url: string;
  readonly hits: ListHits;
}

/** Why a probe did not run. `circuit_open`: the network failed repeatedly, and is retried after a pause. */
export type SkipReason = 'not_applicable' | 'disabled' | 'circuit_open';

/** The outcome of a probe. Not observed is neither absent nor benign, so the three states stay separate. */
export type Observation<T> =
  | { readonly state: 'observed'; readonly value: T; readonly elapsedMs: number }
  | { readonly state: 'failed'; readonly failure: Failure; readonly elapsedMs: number }
  | { readonly state: 'skipped'; readonly reason: SkipReason };

/**
 * Observes a target. It does I/O and never classifies. It returns a JSON value or throws: a `FailureError` if the
 * network fails, anything else is a bug. `run.ts` turns both into data.
 *
 * @typeParam Find the finding, with dates instead of ages, because it may be cached for a day.
 * @typeParam Context the dependencies that `run.ts` passes: the egress client, budgets, settings.
 */
export interface Probe<Find, Context> {
  /** False if the probe does not apply to the target, such as the registration of an IP address. */
  applies(target: Target): boolean;
  observe(target: Target, context: Context, signal: AbortSignal): Promise<Find>;
}

/**
 * Result of a visit with a browser. `skipped`: the page was seen without one, or there is none; `disabled`: the settings
 * exclude this check; `overloaded`: no place was free in time.
 */
export type RenderStatus = 'ok' | 'skipped' | 'timeout' | 'overloaded' | 'error' | 'disabled';

/** Report on a visit with a browser, as plain JSON. */
export interface RenderReport {
  readonly status: RenderStatus;
  /** Last URL of the browser; null if it went nowhere. */
  readonly finalUrl: string | null;
  /** Requests that the page made. */
  readonly requests: number;
  /** Connections that the egress policy refused. */
  readonly refused: number;
  readonly seconds: number;
  /** Null if none was taken. */
  readonly screenshot: { readonly sha256: string; readonly width: number; readonly height: number } | null;
}

/** Returns the report on a browser that was not used. */
export function notRendered(status: RenderStatus, seconds = 0): RenderReport {
  return { status, finalUrl: null, requests: 0, refused: 0, seconds, screenshot: null };
}
