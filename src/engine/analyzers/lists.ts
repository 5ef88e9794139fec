import type { CampaignSightings } from '#src/network/probes/campaign-sightings.ts';
import type { KeptHit, ListHit, ListHits } from '#src/network/probes/list-hits.ts';
import type { Observation } from '#src/network/probes/probe.ts';
import { coversDomain } from '#src/core/url/covers-domain.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import { CAMPAIGN_SIGNS, type CampaignSign, campaignSign } from './campaign-sign.ts';

/** What lists may say of a target. */
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

/** What the lists analyzer looks at. */
export interface ListsSubject {
  readonly observations: {
    readonly lists: Observation<ListHits>;
    readonly campaign?: Observation<CampaignSightings>;
  };
  /** What the operator taught: a list that is kept has no say in what covers a domain of that. */
  readonly models?: { readonly ownBrands: readonly { readonly domains: readonly string[] }[] };
  /** Whether all else lets the target be doubted; what it shares with others is no sign otherwise. */
  readonly isDoubted: boolean;
}

/**
 * Says what this box knows by itself: which lists a target is on, and what it shares with others that were checked here. On
 * both kinds of lists that the settings name, both are said, and the weights decide. Of lists that are kept and decide by
 * themselves, the one with the narrowest entry does, of equally narrow ones one that allows; the others are told all the same.
 */
export const listsAnalyzer: Analyzer<'lists', ListsSubject, ListFeatureName | CampaignSign> = {
  component: 'lists',
  features: [...LIST_FEATURES, ...CAMPAIGN_SIGNS],
  analyze({ observations: { lists, campaign }, models, isDoubted }) {
    if (lists.state !== 'observed' && campaign?.state !== 'observed') return null;
    const features: Feature<ListFeatureName | CampaignSign>[] = [];
    const { blocked, allowed, kept = [] } = lists.state === 'observed' ? lists.value : NO_HITS;
    if (blocked) features.push({ name: 'lists.blocked', value: 1, message: sentence(blocked, 'block') });
    if (allowed) features.push({ name: 'lists.allowed', value: 1, message: sentence(allowed, 'allow') });
    const own = models?.ownBrands.flatMap(({ domains }) => domains) ?? [];
    features.push(...ofKept(kept.filter(({ entry }) => !own.some((domain) => coversDomain(entry, domain)))));
    const shared = isDoubted && campaign?.state === 'observed' ? campaignSign(campaign.value) : null;
    if (shared) features.push(shared);
    return { features, terms: [] };
  },
};

const NO_HITS: ListHits = { blocked: null, allowed: null };

function sentence({ list, entry, line }: ListHit, kind: 'block' | 'allow'): string {
  return `The URL is on the ${kind} list ${list}: line ${line}, ${entry}`;
}

/** The weight of a list for which the feature is whole, in log-odds (nats): no list may have more. */
const FULL_WEIGHT = 10;

function ofKept(hits: readonly KeptHit[]): Feature<ListFeatureName>[] {
  const deciding = hits.filter(({ weight }) => weight === null).toSorted(byPrecedence);
  const decision = deciding[0]?.action;
  return [...deciding.map((hit) => decided(hit, hit.action === decision)), ...hits.flatMap(weighed)];
}

function byPrecedence(a: KeptHit, b: KeptHit): number {
  return b.narrowness - a.narrowness || Number(b.action === 'allow') - Number(a.action === 'allow');
}

function decided(hit: KeptHit, holds: boolean): Feature<ListFeatureName> {
  const { action, list, line, entry } = hit;
  if (holds) {
    const name = action === 'block' ? 'lists.kept_blocked' : 'lists.kept_allowed';
    const message = `The URL has been on the ${action} list ${list} since ${dayOf(hit)}: ${entry} (line ${line})`;
    return { name, value: 1, message };
  }
  const message = `Another list overrules the ${action} list ${list}, on which the URL has been since ${dayOf(hit)}: ${entry} (line ${line})`;
  return { name: `lists.overruled_${action}`, value: 1, message };
}

function weighed(hit: KeptHit): Feature<ListFeatureName>[] {
  const { action, list, line, entry, weight } = hit;
  if (weight === null) return [];
  const [name, says] =
    action === 'block' ? (['lists.suspected', 'against'] as const) : (['lists.trusted', 'for'] as const);
  const message = `The list ${list} has spoken ${says} the URL since ${dayOf(hit)}: ${entry} (line ${line})`;
  return [{ name, value: Math.min(1, weight / FULL_WEIGHT), message }];
}

function dayOf({ addedAtMs }: KeptHit): string {
  return new Date(addedAtMs).toISOString().slice(0, 10);
}
