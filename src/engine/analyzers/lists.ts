import { coversDomain } from '#src/core/url/host.ts';
import type {
  CampaignSightings,
  ListHit,
  ListHits,
  Observation,
  Sighting,
  StoredListHit,
} from '#src/network/probes/observations.ts';
import { type Analyzer, type Feature, feature } from './analyzer.ts';

/** Features that a target can share with other checked ones. */
export const CAMPAIGN_SIGNALS = ['lists.path_elsewhere', 'lists.form_elsewhere'] as const;

type CampaignSignal = (typeof CAMPAIGN_SIGNALS)[number];

/** Number of sites at which the value is 1. */
const FULL_SITES = 5;

/** Returns what a target shares with others as one signal, since path and form of a kit are not independent. */
export function campaignSignal({ path, form }: CampaignSightings): Feature<CampaignSignal> | null {
  if (form !== null && form.sites >= (path?.sites ?? 0)) return signal('lists.form_elsewhere', form);
  return path && signal('lists.path_elsewhere', path);
}

function signal(name: CampaignSignal, { sites, since }: Sighting): Feature<CampaignSignal> {
  return feature(name, Math.min(1, sites / FULL_SITES), { sites, day: since });
}

/** Features of lists. */
export const LIST_FEATURES = [
  'lists.blocked',
  'lists.allowed',
  'lists.kept_blocked',
  'lists.kept_allowed',
  'lists.suspected',
  'lists.trusted',
  'lists.overruled_block',
  'lists.overruled_allow',
] as const;

type ListFeatureName = (typeof LIST_FEATURES)[number];

/** Input of the lists analyzer. */
export interface ListsSubject {
  readonly observations: {
    readonly lists: Observation<ListHits>;
    readonly campaign?: Observation<CampaignSightings>;
  };
  /** Stored lists do not apply to the domains of configured brands. */
  readonly models?: { readonly configuredBrands: readonly { readonly domains: readonly string[] }[] };
  /** True if all other evidence makes the target suspicious; otherwise traits shared with others are no signal. */
  readonly isSuspicious: boolean;
}

/**
 * Reports the lists that a target is on, and what it shares with other targets that were checked here. For lists named
 * in the settings, both kinds are reported, and the weights decide. Of stored lists with the power to decide, the one
 * with the narrowest entry decides; of equally narrow ones, the allowlist. The others are reported as overruled.
 */
export const listsAnalyzer: Analyzer<'lists', ListsSubject, ListFeatureName | CampaignSignal> = {
  component: 'lists',
  features: [...LIST_FEATURES, ...CAMPAIGN_SIGNALS],
  analyze({ observations: { lists, campaign }, models, isSuspicious }) {
    if (lists.state !== 'observed' && campaign?.state !== 'observed') return null;
    const features: Feature<ListFeatureName | CampaignSignal>[] = [];
    const { blocked, allowed, kept: stored = [] } = lists.state === 'observed' ? lists.value : NO_HITS;
    if (blocked) features.push(feature('lists.blocked', 1, namesOf(blocked)));
    if (allowed) features.push(feature('lists.allowed', 1, namesOf(allowed)));
    const own = models?.configuredBrands.flatMap(({ domains }) => domains) ?? [];
    features.push(...ofStored(stored.filter(({ entry }) => !own.some((domain) => coversDomain(entry, domain)))));
    const shared = isSuspicious && campaign?.state === 'observed' ? campaignSignal(campaign.value) : null;
    if (shared) features.push(shared);
    return { features, terms: [] };
  },
};

const NO_HITS: ListHits = { blocked: null, allowed: null };

function namesOf({ list, entry, line }: ListHit) {
  return { list, entry, line };
}

/** Weight of a list at which the feature's value is 1, in log-odds (nats); the maximum for any list. */
const FULL_WEIGHT = 10;

function ofStored(hits: readonly StoredListHit[]): Feature<ListFeatureName>[] {
  const deciding = hits.filter(({ weight }) => weight === null).toSorted(byPrecedence);
  const decision = deciding[0]?.action;
  return [...deciding.map((hit) => decided(hit, hit.action === decision)), ...hits.flatMap(weighed)];
}

function byPrecedence(a: StoredListHit, b: StoredListHit): number {
  return b.narrowness - a.narrowness || Number(b.action === 'allow') - Number(a.action === 'allow');
}

function decided(hit: StoredListHit, holds: boolean): Feature<ListFeatureName> {
  const { action } = hit;
  const args = { ...namesOf(hit), day: dayOf(hit) };
  if (!holds) return feature(`lists.overruled_${action}`, 1, args);
  return feature(action === 'block' ? 'lists.kept_blocked' : 'lists.kept_allowed', 1, args);
}

function weighed(hit: StoredListHit): Feature<ListFeatureName>[] {
  const { action, weight } = hit;
  if (weight === null) return [];
  const name = action === 'block' ? 'lists.suspected' : 'lists.trusted';
  return [feature(name, Math.min(1, weight / FULL_WEIGHT), { ...namesOf(hit), day: dayOf(hit) })];
}

function dayOf({ addedAtMs }: StoredListHit): string {
  return new Date(addedAtMs).toISOString().slice(0, 10);
}
