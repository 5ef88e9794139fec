import type { Checking } from '#src/app/checking.ts';
import type { RotatingSettings } from '#src/app/live-settings.ts';
import type { OpenedLog } from '#src/app/open-log.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { withAllProblems } from '#src/core/base/settings/settings-error.ts';
import type { Notice } from '#src/core/base/text/notice.ts';
import type { DatabaseAccess } from '#src/parts/fleet/postgres/session/public-primary.ts';
import { readLogServers, rotateDatabases } from './rotate-databases.ts';
import { readLimiterServers } from './service-authorities.ts';

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
  readonly openedLog: OpenedLog;
  readonly checking: Pick<Checking, 'sharedLimits'>;
  readonly databaseAccess: DatabaseAccess;
  readonly logger: Logger;
}

/** Returns the rotations of the parts that are open. */
export function rotationsOf(
  config: RotatingSettings,
  { openedLog, checking: { sharedLimits }, databaseAccess, logger }: RotatedParts,
): Rotations {
  const { databases } = openedLog;
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
