import { definePart } from '#src/parts/define-part.ts';
import { FEEDS_SETTINGS } from './settings.ts';

/** Blocked places for appliances that pull them, for name servers, and for MISP. */
export const feedsPart = definePart({
  name: 'feeds',
  settings: FEEDS_SETTINGS,
  isOn: ({ feeds, zone_listen }) => feeds || zone_listen.length > 0,
  open: async (service) => (await import('./open-feeds.ts')).openFeedsPart(service),
  examine: { zone: async () => (await import('./examine-zone.ts')).examineZone },
});
