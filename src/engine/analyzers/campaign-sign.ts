import type { CampaignSightings, Sighting } from '#src/network/probes/campaign-sightings.ts';
import type { Feature } from './analyzer.ts';

/** What a target may share with others that this box was asked about. */
export const CAMPAIGN_SIGNS = ['lists.path_elsewhere', 'lists.form_elsewhere'] as const;

/** One of {@link CAMPAIGN_SIGNS}. */
export type CampaignSign = (typeof CAMPAIGN_SIGNS)[number];

/** From so many sites on, more of them say no more. */
const FULL_SITES = 5;

/** What a target shares with others, as one sign: the path and the form of a kit are one thing, and count once. */
export function campaignSign({ path, form }: CampaignSightings): Feature<CampaignSign> | null {
  if (form !== null && form.sites >= (path?.sites ?? 0)) return sign('lists.form_elsewhere', 'form', form);
  return path && sign('lists.path_elsewhere', 'path', path);
}

function sign(name: CampaignSign, what: string, { sites, since }: Sighting): Feature<CampaignSign> {
  const message = `The same unusual ${what} was seen on ${sites} other doubtful sites since ${since}`;
  return { name, value: Math.min(1, sites / FULL_SITES), message };
}
