import { BROWSER_SETTINGS } from '#src/parts/browser/settings.ts';
import { FEEDS_SETTINGS } from '#src/parts/feeds/settings.ts';
import { MAIL_SETTINGS } from '#src/parts/mail/settings.ts';
import { MONITORING_SETTINGS } from '#src/parts/monitoring/settings.ts';
import { PROXY_SETTINGS } from '#src/parts/proxy/settings.ts';

// Apart from `parts.ts`, since the parts themselves use the configuration, the engine and the logs.

/** Settings of all parts: a part is loaded after they are read, and the types of each refer to those of all. */
export const PART_SETTINGS = [MONITORING_SETTINGS, PROXY_SETTINGS, MAIL_SETTINGS, FEEDS_SETTINGS, BROWSER_SETTINGS];

/** Functions with which parts read signed packs, and databases. Each is loaded when it is called. */
export const PART_SOURCES = {
  openActivePacks: async () => (await import('#src/parts/packs/packs/active-packs.ts')).openActivePacks,
  openPostgresLog: async () => (await import('#src/parts/postgres/postgres-log.ts')).openPostgresLog,
  startDatabaseRetention: async () =>
    (await import('#src/parts/postgres/schema/database-retention.ts')).startDatabaseRetention,
  checkDatabaseAuthorities: async () =>
    (await import('#src/parts/fleet/database-authorities.ts')).checkDatabaseAuthorities,
} as const;
