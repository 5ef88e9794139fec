import {
  CHECKING,
  reloadable,
  type SettingRule,
  type SettingValues,
  setting,
  tuning,
} from '#src/core/base/settings/setting.ts';
import {
  booleanValue,
  listOf,
  numberBetween,
  orNone,
  plainText,
  wholeNumber,
} from '#src/core/base/settings/setting-kind.ts';
import { databaseUrl } from './database-url.ts';

/** Commands on what the nodes of a fleet share. */
const SHARING = ['key', 'lists', 'brand', 'pack', 'model', 'feedback'] as const;

/** Settings of the logs. */
export const STORE_SETTINGS = {
  data_dir: setting(
    [
      ...([...CHECKING, 'log', 'history', 'evaluate', 'rescore', ...SHARING] as const),
      ...(['audit', 'backup', 'upgrade', 'spool', 'gate', 'about'] as const),
    ],
    plainText('a folder'),
    './data',
    'Folder of the logs, keys, lists, brands and models; created if it is missing.',
  ),
  client_key_file: setting(
    ['serve', 'history', ...SHARING],
    orNone(plainText('a file')),
    null,
    'File with 32 random bytes, the same on all nodes, with which client addresses are hashed for the private log and the limiter. By default the service creates one in data_dir.',
  ),
  backup_key_file: setting(
    ['serve', 'backup', 'upgrade'],
    orNone(plainText('a file')),
    null,
    'File with 32 random bytes for the MAC that authenticates backups. Backups do not contain it. By default /etc/lurecheck/backup.key if a service is installed, otherwise backup.key in data_dir.',
  ),
  retention_days: setting(
    ['serve'],
    wholeNumber(0),
    90,
    'Days to keep checks in the logs; 0 keeps them whatever their age.',
  ),
  retention_bytes: setting(
    ['serve', 'check'],
    wholeNumber(0),
    2_000_000_000,
    'Maximum size of each of the two logs, in bytes; the oldest checks are deleted first. 0 means unlimited.',
  ),
  screenshot_days: tuning(
    setting(
      ['serve'],
      wholeNumber(0),
      7,
      'Days to keep pictures that the browser took, at most as long as their checks; 0 takes none.',
    ),
  ),
  screenshot_bytes: tuning(
    setting(
      ['serve'],
      wholeNumber(0),
      1_000_000_000,
      'Maximum size of the pictures of each of the two logs, in bytes; the oldest are deleted first. 0 takes none.',
    ),
  ),
  retention_rows: tuning(
    setting(
      ['serve'],
      wholeNumber(0),
      0,
      'Maximum number of checks in each of the two logs; the oldest are deleted first. 0 means unlimited.',
    ),
  ),
  commit_interval_ms: tuning(
    setting(
      ['serve'],
      wholeNumber(0, 100),
      2,
      'Least time between two commits of a log, in milliseconds. Checks in between share the next commit and are answered after it; after a pause the first is committed at once.',
    ),
  ),
  disk_floor_percent: tuning(
    setting(
      ['serve'],
      wholeNumber(0, 50),
      5,
      'Minimum free disk space, in percent, below which the oldest checks of both logs are deleted. Bounded to 16 MiB and 1 GiB; 0 disables it.',
    ),
  ),
  log_database: reloadable(
    setting(
      [...CHECKING, 'log', 'history', 'rescore', 'gate', ...SHARING],
      listOf(databaseUrl),
      [],
      'PostgreSQL databases that store the public log instead of a file, tried in turn. Several nodes may share them.',
    ),
  ),
  log_database_private: reloadable(
    setting(
      [...CHECKING, 'log', 'history', 'rescore', 'gate', ...SHARING],
      listOf(databaseUrl),
      [],
      'PostgreSQL databases that store the private log, tried in turn. They must not be those of log_database.',
    ),
  ),
  log_timeout_seconds: tuning(
    setting(
      CHECKING,
      numberBetween(0, 60),
      1,
      'Seconds that a check waits for the database before it is spooled on this node, or refused.',
    ),
  ),
  log_spool: tuning(
    setting(
      ['serve'],
      booleanValue,
      true,
      'Spool checks on this node while their database is unavailable, and store them later. Without it such checks are refused.',
    ),
  ),
  log_spool_rows: tuning(
    setting(
      ['serve'],
      wholeNumber(1),
      1_000_000,
      'Maximum number of spooled checks per database. Further checks are refused.',
    ),
  ),
  node_name: setting(
    [...CHECKING, 'log', 'gate', ...SHARING],
    orNone(plainText('a name')),
    null,
    'Name of this node among those that share a database; the host name by default.',
  ),
};

/** Rejects private checks in the public database, where the same role could read them. */
export const DATABASE_RULE: SettingRule<StoreSettings> = {
  between: ['log_database', 'log_database_private'],
  problem({ log_database: open, log_database_private: hidden }) {
    if ((open.length === 0) !== (hidden.length === 0)) {
      const [set, missing] = open.length > 0 ? ['', '_private'] : ['_private', ''];
      return `log_database${set} is set, but log_database${missing} is not`;
    }
    const isShared = open.some((one) =>
      hidden.some(({ host, port, database }) => host === one.host && port === one.port && database === one.database),
    );
    return isShared ? 'log_database_private must be another database than log_database' : null;
  },
};

/** The values of {@link STORE_SETTINGS}. */
export type StoreSettings = SettingValues<typeof STORE_SETTINGS>;

/** Parts of the data directory that belong to a fleet. */
export type SharedName = 'keys' | 'sessions' | 'brands' | 'lists' | 'packs' | 'model' | 'rescored';

/** Settings of the databases, and of the key that encrypts the fleet's data in them. */
export type FleetSettings = Pick<
  StoreSettings,
  'data_dir' | 'log_database' | 'log_database_private' | 'client_key_file' | 'node_name'
>;

/** Returns true if an installation belongs to a fleet; otherwise its data are its own. */
export function isFleet({ log_database: databases, client_key_file: keyFile }: FleetSettings): boolean {
  return databases.length > 0 && keyFile !== null;
}
