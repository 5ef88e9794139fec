import type { CampaignSightings } from '#src/probes/campaign-sightings.ts';
import type { ListHit, ListHits } from '#src/probes/list-hits.ts';
import type { Observation } from '#src/probes/probe.ts';
import type { Analyzer, Feature } from './analyzer.ts';
import { CAMPAIGN_SIGNS, type CampaignSign, campaignSign } from './campaign-sign.ts';

type ListFeatureName = 'lists.blocked' | 'lists.allowed' | CampaignSign;

/** What the lists analyzer looks at. */
export interface ListsSubject {
  readonly observations: {
    readonly lists: Observation<ListHits>;
    readonly campaign?: Observation<CampaignSightings>;
  };
  /** Whether all else lets the target be doubted; what it shares with others is no sign otherwise. */
  readonly isDoubted: boolean;
}

/**
 * Says what this box knows by itself: which of the operator's lists a target is on, and what it shares with others that
 * were checked here. On both kinds of lists, both are said, and the weights decide.
 */
export const listsAnalyzer: Analyzer<'lists', ListsSubject, ListFeatureName> = {
  component: 'lists',
  features: ['lists.blocked', 'lists.allowed', ...CAMPAIGN_SIGNS],
  analyze({ observations: { lists, campaign }, isDoubted }) {
    if (lists.state !== 'observed' && campaign?.state !== 'observed') return null;
    const features: Feature<ListFeatureName>[] = [];
    const { blocked, allowed } = lists.state === 'observed' ? lists.value : NO_HITS;
    if (blocked) features.push({ name: 'lists.blocked', value: 1, message: sentence(blocked, 'block') });
    if (allowed) features.push({ name: 'lists.allowed', value: 1, message: sentence(allowed, 'allow') });
    const shared = isDoubted && campaign?.state === 'observed' ? campaignSign(campaign.value) : null;
    if (shared) features.push(shared);
    return { features, terms: [] };
  },
};

const NO_HITS: ListHits = { blocked: null, allowed: null };

function sentence({ list, entry, line }: ListHit, kind: 'block' | 'allow'): string {
  return `The URL is on the ${kind} list ${list}: line ${line}, ${entry}`;
}
