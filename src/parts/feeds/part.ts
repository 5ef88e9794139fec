import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';
import type { FeedService } from './feed/feed-route.ts';
import type { OpenedFeeds } from './open-feeds.ts';
import { FEEDS_SETTINGS } from './settings.ts';

const FEED_ROUTES = {
  heads: ['GET /feeds/:feed'],
  load: async () => (await import('./feed/feed-route.ts')).feedRoute,
  own({ running, opened, pulled }) {
    const feeds: FeedService = {
      isOn: () => running().feeds,
      peers: () => running().feed_peers,
      pull: async (name) => (await opened()?.pull(name)) ?? null,
      onPulled: (name, status, key) =>
        pulled(name, status, key, status === 503 || (opened()?.feedNotices() ?? []).length > 0),
    };
    return { feeds };
  },
} as const satisfies PartRoutes<OpenedFeeds>;

const MISP_ROUTES = {
  heads: ['GET /modules', 'POST /query'],
  load: async () => (await import('./misp-routes.ts')).mispRoutes,
  own: ({ running, isApart }) => ({ misp: { isOn: () => isApart || running().misp } }),
  apart: ({ misp_listen: addresses }) => addresses,
} as const satisfies PartRoutes<OpenedFeeds>;

/** Blocked places for appliances that pull them, for name servers, and for MISP. */
export const feedsPart = definePart({
  name: 'feeds',
  settings: FEEDS_SETTINGS,
  conditions: ['feeds_stale', 'feeds_missing'],
  isOn: ({ feeds, zone_listen }) => feeds || zone_listen.length > 0,
  open: async (service) => (await import('./open-feeds.ts')).openFeedsPart(service),
  routes: [FEED_ROUTES, MISP_ROUTES],
  examine: { zone: async () => (await import('#src/parts/feeds/zone/examine-zone.ts')).examineZone },
});
