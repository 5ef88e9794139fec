import { hostname } from 'node:os';
import type { ConfigFor } from '#src/app/config.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { VERSION } from '#src/core/base/version.ts';
import { UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';

/** Copies both logs of the data directory into the databases that the settings name; 1 where some were refused. */
export async function copyToDatabase(config: ConfigFor<'log'>, io: Io, logger: Logger): Promise<ExitCode> {
  const urls = { public: config.log_database, private: config.log_database_private };
  if (urls.public.length === 0) throw new UsageError('--log-database and --log-database-private are required');
  const [{ copyLog }, { createServerGuards }, { openSeenTimelines }] = await Promise.all([
    import('#src/parts/postgres/copy-log.ts'),
    import('#src/parts/postgres/session/server-guard.ts'),
    import('#src/parts/postgres/session/seen-timelines.ts'),
  ]);
  const guards = createServerGuards({ urls, seen: openSeenTimelines(config.data_dir), logger });
  await using log = await openLocalLog({ dataDir: config.data_dir, access: 'read', clock: systemClock, logger });
  const status = {
    name: config.node_name ?? hostname(),
    version: VERSION,
    run: null,
    configuration: () => null,
    waiting: () => 0,
    setAside: () => 0,
    clock: systemClock,
  };
  let refused = 0;
  for (const visibility of ['public', 'private'] as const) {
    const copied = await copyLog(log, visibility, { urls: urls[visibility], guard: guards[visibility], status });
    refused += copied.refused;
    await io.stdout.write(`${counted(copied.checks, 'check')} of the ${visibility} log in its database\n`);
  }
  if (refused === 0) return 0;
  await io.stderr.write(
    `lurecheck: the databases refused ${counted(refused, 'check')}; the files still contain them\n`,
  );
  return 1;
}
