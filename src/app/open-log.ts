import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import { runPendingDeletions } from '#src/checks/store/deletions/deletions.ts';
import { type LocalLog, openLocalLog } from '#src/checks/store/local-log.ts';
import type { LocalLogOptions, LogAccess } from '#src/checks/store/open-files.ts';
import { pictureFileIn } from '#src/checks/store/pictures/picture-path.ts';
import type { PictureStore } from '#src/checks/store/pictures/picture-store.ts';
import type { DatabaseLog, ScanLog } from '#src/checks/store/scan-log.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { startRetention, startSizeRetention } from '#src/checks/store/upkeep/retention.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { PART_SOURCES } from './parts/part-basis.ts';

/** Settings of the location of the logs. */
export type LogPlaceSettings = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'> &
  Partial<
    Pick<
      StoreSettings,
      'client_key_file' | 'node_name' | 'log_timeout_seconds' | 'log_spool' | 'log_spool_rows' | 'commit_interval_ms'
    >
  >;

/** The logs, open. */
export interface OpenedLog extends AsyncDisposable {
  readonly log: ScanLog;
  /** Same logs as files of this host; null if they are in databases. */
  readonly local: LocalLog | null;
  /** Same logs as databases; null if they are files. */
  readonly databases: DatabaseLog | null;
}

const DEFAULT_TIMEOUT_SECONDS = 1;

/** Checks of a clock that differs by more would go into the days of others. */
const MAX_OFFSET_MS = 5 * 60_000;

/**
 * Opens the configured logs. Code for databases is loaded only if they are used.
 *
 * @throws StoreError if they are unusable, OperationError if a file that the settings name is
 */
export async function openLog(
  config: LogPlaceSettings,
  access: LogAccess,
  logger: Logger,
  databaseAccess: DatabaseAccess = {},
  onRemoved?: LocalLogOptions['onRemoved'],
): Promise<OpenedLog> {
  const dataDir = config.data_dir;
  const clientKey = await readClientKey(config);
  if (config.log_database.length === 0) {
    const commitIntervalMs = config.commit_interval_ms ?? 0;
    const opening = { dataDir, access, clientKey, commitIntervalMs, clock: systemClock, logger, onRemoved };
    const local = await openLocalLog(opening);
    return { log: local, local, databases: null, [Symbol.asyncDispose]: () => local[Symbol.asyncDispose]() };
  }
  await (await PART_SOURCES.checkDatabaseAuthorities())(config);
  const databases = await (await PART_SOURCES.openPostgresLog())({
    urls: databasesOf(config),
    access,
    dataDir,
    clientKey,
    ...databaseAccess,
    nodeName: config.node_name ?? hostname(),
    timeoutMs: (config.log_timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    spoolRows: config.log_spool === true ? (config.log_spool_rows ?? 0) : 0,
    maxOffsetMs: MAX_OFFSET_MS,
    clock: systemClock,
    logger,
  });
  return { log: databases, local: null, databases, [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose]() };
}

const databasesOf = (config: LogPlaceSettings) => ({
  public: config.log_database,
  private: config.log_database_private,
});

/** Deletes the oldest checks until it is disposed. */
export interface LogUpkeep extends AsyncDisposable {
  /** The bounds of the public log as the API reports them; null means unlimited. */
  retention(): RetentionBounds;
}

/** Lets the oldest checks go: by the bounds that the settings name, or, of databases, that their owner has set there. */
export async function startUpkeep(
  config: Omit<StoreSettings, 'backup_key_file'>,
  { local }: OpenedLog,
  logger: Logger,
  databaseAccess: DatabaseAccess = {},
): Promise<LogUpkeep> {
  const { data_dir: dataDir, retention_days: days, retention_bytes: bytes, retention_rows: rows } = config;
  if (!local) {
    const upkeep = (await PART_SOURCES.startDatabaseRetention())({
      urls: databasesOf(config),
      dataDir,
      ...databaseAccess,
      logger,
    });
    return {
      retention: () => upkeep.bounds() ?? { days: null, bytes: null, rows: null },
      [Symbol.asyncDispose]: () => upkeep[Symbol.asyncDispose](),
    };
  }
  const upkeep = new AsyncDisposableStack();
  upkeep.use(startRetention(local, { days, dataDir, clock: systemClock, logger }));
  upkeep.use(runPendingDeletions(local, logger));
  upkeep.use(startSizeRetention(local, { rows, bytes, diskFloorPercent: config.disk_floor_percent, dataDir, logger }));
  return {
    retention: () => ({ days: days || null, bytes: bytes || null, rows: rows || null }),
    [Symbol.asyncDispose]: () => upkeep.disposeAsync(),
  };
}

/** No pictures: neither a browser that takes some, nor a file of earlier ones. */
const NO_PICTURES: OpenedPictures = {
  isOn: false,
  hold() {},
  store() {},
  has: () => false,
  find: () => null,
  remove: async () => {},
  startUpkeep: async () => ({ [Symbol.dispose]() {} }),
  [Symbol.asyncDispose]: async () => {},
};

/** Pictures of pages, and their upkeep once the logs are open. */
export interface OpenedPictures extends Omit<PictureStore, 'dataDir' | 'bound' | 'ids'> {
  startUpkeep(log: ScanLog): Promise<Disposable>;
}

/** Opens the pictures of a data directory. Nothing is loaded if there are none and no browser takes any. */
export async function openPictures(
  config: Pick<StoreSettings, 'data_dir' | 'screenshot_days' | 'screenshot_bytes'> & {
    readonly browser: string | null;
  },
  logger: Logger,
): Promise<OpenedPictures> {
  const { data_dir: dataDir, screenshot_days: days, screenshot_bytes: bytes, browser } = config;
  const hasFiles = VISIBILITIES.some((visibility) => existsSync(pictureFileIn(dataDir, visibility)));
  if (browser === null && !hasFiles) return NO_PICTURES;
  const { openPictureStore } = await import('#src/checks/store/pictures/picture-store.ts');
  const store = openPictureStore({ dataDir, bounds: { days, bytes }, clock: systemClock, logger });
  return {
    ...store,
    async startUpkeep(log) {
      const { startPictureUpkeep } = await import('#src/checks/store/pictures/picture-upkeep.ts');
      return startPictureUpkeep(store, log, logger);
    },
  };
}
