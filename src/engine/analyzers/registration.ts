import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { Registration } from '#src/network/registry/registration.ts';
import type { Host } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import { mergeHosts, visitedHosts } from './visited-hosts.ts';

const FEATURES = [
  'registration.created_under_7_days_ago',
  'registration.created_under_30_days_ago',
  'registration.created_under_180_days_ago',
  'registration.created_over_5_years_ago',
  'registration.on_hold',
  'registration.being_deleted',
] as const;

type Name = (typeof FEATURES)[number];

const REASSURING: ReadonlySet<Name> = new Set(['registration.created_over_5_years_ago']);

/** The first whose limit the age is under is the one that is said. */
const YOUNG: readonly (readonly [Name, days: number])[] = [
  ['registration.created_under_7_days_ago', 7],
  ['registration.created_under_30_days_ago', 30],
  ['registration.created_under_180_days_ago', 180],
];
const OLD_DAYS = 5 * 365;

/** EPP statuses (RFC 5731, RFC 3915) as WHOIS spells them, and as RDAP does (RFC 8056), letters alone. */
const ON_HOLD = /^(?:client|server)hold$/;
const BEING_DELETED = /^(?:pendingdelete|redemptionperiod)$/;

/** What the analyzer looks at. */
export interface RegistrationSubject {
  readonly target: Target;
  readonly observations: Observations;
  readonly knowledge: Pick<Knowledge, 'hostFact'>;
}

/** Judges how long the domain has been registered, and in what state it is. */
export const registrationAnalyzer: Analyzer<'registration', RegistrationSubject, Name> = {
  component: 'registration',
  features: FEATURES,
  analyze: ({ target, observations, knowledge }) =>
    mergeHosts(
      visitedHosts(target, observations).map(({ host, seen }) =>
        seen.registration.state === 'observed' ? judge(host, seen.registration.value, knowledge) : null,
      ),
      REASSURING,
    ),
};

function judge(host: Host, registration: Registration, knowledge: Pick<Knowledge, 'hostFact'>): Feature<Name>[] {
  const { domain, ageDays, createdAt } = registration;
  const statuses = registration.statuses.map((status) => status.toLowerCase().replace(/[^a-z]/g, ''));
  const features: Feature<Name>[] = [];
  const since = `${domain} was registered ${describeAge(ageDays ?? 0)}, on ${createdAt?.slice(0, 10)}`;
  const young = YOUNG.find(([, days]) => ageDays !== null && ageDays < days);
  if (young) features.push({ name: young[0], value: 1, message: since });
  // On a shared platform the domain's age is the platform's, not the page's.
  const isOwn = host.site === host.registrable && knowledge.hostFact(host) === null;
  if (ageDays !== null && ageDays >= OLD_DAYS && isOwn) {
    features.push({ name: 'registration.created_over_5_years_ago', value: 1, message: since });
  }
  if (statuses.some((status) => ON_HOLD.test(status))) {
    features.push({ name: 'registration.on_hold', value: 1, message: `${domain} has been put on hold` });
  }
  if (statuses.some((status) => BEING_DELETED.test(status))) {
    features.push({ name: 'registration.being_deleted', value: 1, message: `${domain} is about to be deleted` });
  }
  return features;
}

/** An age that no number is given of, as it stands in a sentence. */
export type LeastAge = 'less than a day';

const LEAST_AGE: LeastAge = 'less than a day';

function describeAge(days: number): string {
  if (days < 1) return `${LEAST_AGE} ago`;
  if (days < 730) return days === 1 ? '1 day ago' : `${days} days ago`;
  return `${Math.floor(days / 365)} years ago`;
}
