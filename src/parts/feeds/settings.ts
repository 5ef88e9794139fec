import { MISP_SETTINGS } from '#src/parts/feeds/misp/settings.ts';
import { ZONE_KEYS_RULE, ZONE_SETTINGS } from '#src/parts/feeds/zone/settings.ts';
import { FEED_SETTINGS } from './feed/settings.ts';

/** Settings of what appliances, name servers and MISP take. */
export const FEEDS_SETTINGS = {
  tables: { 'Feeds and MISP': { ...FEED_SETTINGS, ...ZONE_SETTINGS, ...MISP_SETTINGS } },
  rules: [ZONE_KEYS_RULE],
};
