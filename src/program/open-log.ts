import { hostname } from 'node:os';
import { systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { RetentionBounds } from '#src/record/stats.ts';
import { takeUpDeletions } from '#src/store/deletions/take-up.ts';
import { type LocalLog, type LogAccess, openLocalLog } from '#src/store/local-log.ts';
import type { ResolveHost } from '#src/store/postgres/session.ts';
import type { DatabaseLog, ScanLog } from '#src/store/scan-log.ts';
import type { StoreSettings } from '#src/store/settings.ts';
import { startRetention } from '#src/store/upkeep/retention.ts';
import { startSizeRetention } from '#src/store/upkeep/size-retention.ts';
import { readClientKey } from '#src/store/write/client-hash.ts';
import { checkDatabaseAuthorities } from './database-authorities.ts';

/** What says where the logs are. */
export type LogPlaceSettings = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'> &
  Partial<
    Pick<StoreSettings, 'client_key_file' | 'node_name' | 'log_timeout_seconds' | 'log_spool' | 'log_spool_rows'>
  >;

/** The logs, open. */
export interface OpenedLog extends AsyncDisposable {
  readonly log: ScanLog;
  /** The same as files of this machine; null where they are in databases. */
  readonly local: LocalLog | null;
  /** The same as databases; null where they are files. */
  readonly databases: DatabaseLog | null;
}

const DEFAULT_TIMEOUT_SECONDS = 1;

/**
 * Opens the logs where the settings say that they are. What a database needs is loaded for nobody else.
 *
 * @throws StoreError where they cannot be used, SettingsError where a file that the settings name cannot
 */
export async function openLog(
  config: LogPlaceSettings,
  access: LogAccess,
  logger: Logger,
  resolve?: ResolveHost,
): Promise<OpenedLog> {
  const dataDir = config.data_dir;
  const clientKey = await readClientKey(config);
  if (config.log_database.length === 0) {
    const local = await openLocalLog({ dataDir, access, clientKey, clock: systemClock, logger });
    return { log: local, local, databases: null, [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
  }
  await checkDatabaseAuthorities(config);
  const { openPostgresLog } = await import('#src/store/postgres/postgres-log.ts');
  const databases = await openPostgresLog({
    urls: databasesOf(config),
    access,
    dataDir,
    clientKey,
    resolve,
    nodeName: config.node_name ?? hostname(),
    timeoutMs: (config.log_timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    spoolRows: config.log_spool === true ? (config.log_spool_rows ?? 0) : 0,
    clock: systemClock,
    logger,
  });
  return { log: databases, local: null, databases, [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose]() };
}

const databasesOf = (config: LogPlaceSettings) => ({
  public: config.log_database,
  private: config.log_database_private,
});

/** Lets the oldest checks go by the bounds that the settings name, until it is disposed of. */
export async function startUpkeep(
  config: StoreSettings,
  { local }: OpenedLog,
  logger: Logger,
  resolve?: ResolveHost,
): Promise<AsyncDisposable> {
  const { data_dir: dataDir, retention_days: days } = config;
  const upkeep = new AsyncDisposableStack();
  if (local) {
    upkeep.use(startRetention(local, { days, dataDir, clock: systemClock, logger }));
    upkeep.use(takeUpDeletions(local, logger));
    upkeep.use(
      startSizeRetention(local, {
        rows: config.retention_rows,
        bytes: config.retention_bytes,
        diskFloorPercent: config.disk_floor_percent,
        dataDir,
        logger,
      }),
    );
  } else {
    const { startDatabaseRetention } = await import('#src/store/postgres/database-retention.ts');
    upkeep.use(startDatabaseRetention({ urls: databasesOf(config), days, resolve, logger }));
  }
  return upkeep;
}

/** The bounds of a log as the API tells them: 0 sets none, and a database has none by size. */
export function retentionOf(config: StoreSettings): RetentionBounds {
  const { retention_days: days, retention_bytes: bytes, retention_rows: rows } = config;
  const isFile = config.log_database.length === 0;
  return { days: days || null, bytes: (isFile && bytes) || null, rows: (isFile && rows) || null };
}
