import type { CampaignSightings, Sighting } from '#src/network/probes/observations.ts';
import { type Feature, feature } from './analyzer.ts';

/** Features that a target can share with other checked ones. */
export const CAMPAIGN_SIGNALS = ['lists.path_elsewhere', 'lists.form_elsewhere'] as const;

/** One of {@link CAMPAIGN_SIGNALS}. */
export type CampaignSignal = (typeof CAMPAIGN_SIGNALS)[number];

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
