import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/setting-source.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { checkDatabaseAuthorities, readAuthoritiesOf } from './database-authorities.ts';
import { createRotation, type Rotation } from './rotation.ts';
import { readLimiterServers, type SharedLimits } from './shared-limits.ts';

/** Settings that name servers and credentials. */
type RotatingSettings = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'> &
  Parameters<typeof readLimiterServers>[0];

/** Parts whose servers are replaced. */
interface RotatedParts {
  /** Null if the logs are files. */
  readonly databases: DatabaseLog | null;
  /** Null if no limiter is configured. */
  readonly sharedLimits: Pick<SharedLimits, 'rotation'> | null;
  readonly databaseAccess: DatabaseAccess;
  readonly logger: Logger;
}

/** Returns the rotations of the servers and credentials of the parts that are open. */
export function rotationsOf(
  config: RotatingSettings,
  { databases, sharedLimits, databaseAccess, logger }: RotatedParts,
) {
  const ofLogs = databases && rotateDatabases(config, { databases, databaseAccess, logger });
  const ofLimiter = sharedLimits?.rotation ?? null;
  return {
    /**
     * Reads the files that the settings name, and returns what tries and uses them.
     *
     * @throws SettingsError if a file cannot be used
     */
    async rotate(next: RotatingSettings) {
      const [servers, limiter] = await withAllProblems([readLogServers(next), readLimiterServers(next)]);
      return async () => {
        await Promise.all([
          next.log_database.length > 0 && ofLogs?.offer(servers),
          limiter.length > 0 && ofLimiter?.offer(limiter),
        ]);
      };
    },
    /** Notices on values that do not work. */
    notices: () => [...(ofLogs?.notices() ?? []), ...(ofLimiter?.notices() ?? [])],
    [Symbol.dispose]: () => ofLogs?.[Symbol.dispose](),
  };
}

type DatabaseSettings = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'>;

/** Servers of both logs, each with the certificates that vouch for it. */
export type LogServers = Readonly<Record<Visibility, readonly DatabaseUrl[]>>;

/** Reads the files that the URLs name. Throws SettingsError. */
export async function readLogServers(config: DatabaseSettings): Promise<LogServers> {
  await checkDatabaseAuthorities(config);
  const withAuthorities = (urls: readonly DatabaseUrl[]) => Promise.all(urls.map(readAuthoritiesOf));
  return {
    public: await withAuthorities(config.log_database),
    private: await withAuthorities(config.log_database_private),
  };
}

/** Replaces the servers that all parts of the service share: each reads the same two lists at its next connection. */
export function replaceLogServers(config: DatabaseSettings, servers: LogServers): void {
  const lists = { public: config.log_database, private: config.log_database_private };
  for (const name of VISIBILITIES) (lists[name] as DatabaseUrl[]).splice(0, lists[name].length, ...servers[name]);
}

/** Creates the rotation of URLs, passwords and authorities of both databases. */
export function rotateDatabases(
  config: DatabaseSettings,
  {
    databases,
    databaseAccess,
    logger,
  }: { readonly databases: DatabaseLog; readonly databaseAccess: DatabaseAccess; readonly logger: Logger },
): Rotation<LogServers> {
  return createRotation<LogServers>({
    setting: 'log_database',
    active: { public: [...config.log_database], private: [...config.log_database_private] },
    async prepare(servers) {
      const [{ tryServers }, { openSeenTimelines }] = await Promise.all([
        import('#src/parts/postgres/session/public-primary.ts'),
        import('#src/parts/postgres/session/server-guard.ts'),
      ]);
      const problem = await tryServers(servers, openSeenTimelines(config.data_dir), databaseAccess.resolve);
      if (problem !== null) return problem;
      return {
        use() {
          replaceLogServers(config, servers);
          databases.renew();
        },
        discard() {},
      };
    },
    logger,
  });
}
