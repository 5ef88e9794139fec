import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Registration } from '#src/network/registry/registration-facts.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';
import { type HostSubject, mergeHosts, visitedHosts } from './visited-hosts.ts';

const FEATURES = [
  'registration.created_under_7_days_ago',
  'registration.created_under_30_days_ago',
  'registration.created_under_180_days_ago',
  'registration.created_over_5_years_ago',
  'registration.on_hold',
  'registration.being_deleted',
] as const;

type Name = (typeof FEATURES)[number];
type Young = Extract<Name, `${string}_under_${string}`>;

const REASSURING: ReadonlySet<Name> = new Set(['registration.created_over_5_years_ago']);

/** Age limits in ascending order; the first above the age is reported. */
const YOUNG: readonly (readonly [Young, days: number])[] = [
  ['registration.created_under_7_days_ago', 7],
  ['registration.created_under_30_days_ago', 30],
  ['registration.created_under_180_days_ago', 180],
];
const OLD_DAYS = 5 * 365;

/** EPP statuses (RFC 5731, RFC 3915) as WHOIS spells them, and as RDAP does (RFC 8056), letters alone. */
const ON_HOLD = /^(?:client|server)hold$/;
const BEING_DELETED = /^(?:pendingdelete|redemptionperiod)$/;

/** Classifies the age and the state of the domain's registration. */
export const registrationAnalyzer: Analyzer<'registration', HostSubject, Name> = {
  component: 'registration',
  features: FEATURES,
  analyze: ({ target, observations, knowledge }) =>
    mergeHosts(
      visitedHosts(target, observations).map(({ host, seen }) =>
        seen.registration.state === 'observed' ? registrationFeatures(host, seen.registration.value, knowledge) : null,
      ),
      REASSURING,
    ),
};

function registrationFeatures(
  host: Host,
  registration: Registration,
  knowledge: Pick<Knowledge, 'hostFact'>,
): Feature<Name>[] {
  const { domain, ageDays, createdAt } = registration;
  const statuses = registration.statuses.map((status) => status.toLowerCase().replace(/[^a-z]/g, ''));
  const features: Feature<Name>[] = [];
  const day = String(createdAt?.slice(0, 10));
  const young = YOUNG.find(([, days]) => ageDays !== null && ageDays < days);
  if (young) features.push(feature(young[0], 1, { domain, age: describeAge(ageDays ?? 0), day }));
  // On a shared platform the domain's age is the platform's, not the page's.
  const isOwn = host.site === host.registrable && knowledge.hostFact(host) === null;
  if (ageDays !== null && ageDays >= OLD_DAYS && isOwn) {
    features.push(
      feature('registration.created_over_5_years_ago', 1, { domain, years: Math.floor(ageDays / 365), day }),
    );
  }
  if (statuses.some((status) => ON_HOLD.test(status))) {
    features.push(feature('registration.on_hold', 1, { domain }));
  }
  if (statuses.some((status) => BEING_DELETED.test(status))) {
    features.push(feature('registration.being_deleted', 1, { domain }));
  }
  return features;
}

/** Text of an age below one day. */
export type UnderOneDay = 'less than a day';

const UNDER_ONE_DAY: UnderOneDay = 'less than a day';

function describeAge(days: number): string {
  if (days < 1) return UNDER_ONE_DAY;
  return days === 1 ? '1 day' : `${days} days`;
}
