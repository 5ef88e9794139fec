import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#src/app/config.ts';
import { openLog } from '#src/app/open-log.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { readHeldHosts } from '#src/parts/proxy/gate/held-report.ts';
import { readWatchState } from '#src/parts/proxy/gate/watch-state.ts';

/** Number of unread records at which holding is likely to surprise users. */
const MANY_UNREAD = 100;

/** Returns reasons against holding, in sentences; empty if there are none, or if the gate watches or is closed. */
export async function holdWarnings(config: Config, logger: Logger): Promise<string[]> {
  const { gate_mode, icap_listen, icap_tls_listen, data_dir: dataDir } = config;
  if (gate_mode !== 'hold' || icap_listen.length + icap_tls_listen.length === 0) return [];
  const { watching_since: since, reported_at: reported } = readWatchState(dataDir);
  const watchedMs = since === null ? 0 : systemClock.now() - Date.parse(since);
  const early = watchedMs < DAY_MS ? ['gate_mode is hold, but the gate has watched for less than a day'] : [];
  const unread = await countUnread(config, reported ?? since, logger);
  if (unread < MANY_UNREAD) return early;
  return [...early, `gate_mode is hold, but nobody has read ${unread} records of what is held: lurecheck gate report`];
}

/** A log in a database is not opened for that: a validation needs no network. */
async function countUnread(config: Config, since: string | null, logger: Logger): Promise<number> {
  if (config.log_database_private.length > 0 || !existsSync(join(config.data_dir, 'private.sqlite'))) return 0;
  await using opened = await openLog(config, 'read', logger);
  const hosts = await readHeldHosts(opened.log, since === null ? null : Date.parse(since));
  return hosts.reduce((sum, { records }) => sum + records, 0);
}
