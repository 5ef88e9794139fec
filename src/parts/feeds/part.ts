import { definePart } from '#src/parts/define-part.ts';
import { FEEDS_SETTINGS } from './settings.ts';

/** What is blocked, for name servers. */
export const feedsPart = definePart({
  name: 'feeds',
  settings: FEEDS_SETTINGS,
  isOn: ({ zone_listen }) => zone_listen.length > 0,
  open: async (service) => (await import('#src/app/zone/open-zone.ts')).openZone(service),
  examine: { zone: async () => (await import('#src/app/doctor/examine-zone.ts')).examineZone },
});
