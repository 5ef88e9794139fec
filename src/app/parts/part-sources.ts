/**
 * Functions with which parts read what the engine and the logs rest on: signed packs, and databases. Apart from
 * `parts.ts`, since the parts themselves use the engine and the logs. Each is loaded when it is called.
 */
export const PART_SOURCES = {
  openActivePacks: async () => (await import('#src/parts/packs/packs/active-packs.ts')).openActivePacks,
  openPostgresLog: async () => (await import('#src/parts/postgres/postgres-log.ts')).openPostgresLog,
  startDatabaseRetention: async () =>
    (await import('#src/parts/postgres/schema/database-retention.ts')).startDatabaseRetention,
  checkDatabaseAuthorities: async () =>
    (await import('#src/parts/fleet/database-authorities.ts')).checkDatabaseAuthorities,
} as const;
