import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/settings-error.ts';
import type { Notice } from '#src/core/base/text/notice.ts';
import { readLogServers, rotateDatabases } from './rotate-databases.ts';
import { readLimiterServers } from './service-authorities.ts';
import type { SharedLimits } from './shared-limits.ts';

/** Settings that name servers and credentials. */
type RotatingSettings = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'> &
  Parameters<typeof readLimiterServers>[0];

/** Everything whose servers and credentials a running service replaces. */
export interface Rotations extends Disposable {
  /**
   * Reads the files that the settings name, and returns what tries and uses them.
   *
   * @throws SettingsError if a file cannot be used
   */
  rotate(next: RotatingSettings): Promise<() => Promise<void>>;
  /** Notices on values that do not work. */
  notices(): readonly Notice[];
}

/** Parts whose servers are replaced. */
interface RotatedParts {
  /** Null if the logs are files. */
  readonly databases: DatabaseLog | null;
  /** Null if no limiter is configured. */
  readonly sharedLimits: Pick<SharedLimits, 'rotation'> | null;
  readonly databaseAccess: DatabaseAccess;
  readonly logger: Logger;
}

/** Returns the rotations of the parts that are open. */
export function rotationsOf(
  config: RotatingSettings,
  { databases, sharedLimits, databaseAccess, logger }: RotatedParts,
): Rotations {
  const ofLogs = databases && rotateDatabases(config, { databases, databaseAccess, logger });
  const ofLimiter = sharedLimits?.rotation ?? null;
  return {
    async rotate(next) {
      const [servers, limiter] = await withAllProblems([readLogServers(next), readLimiterServers(next)]);
      return async () => {
        await Promise.all([
          next.log_database.length > 0 && ofLogs?.offer(servers),
          limiter.length > 0 && ofLimiter?.offer(limiter),
        ]);
      };
    },
    notices: () => [...(ofLogs?.notices() ?? []), ...(ofLimiter?.notices() ?? [])],
    [Symbol.dispose]: () => ofLogs?.[Symbol.dispose](),
  };
}
