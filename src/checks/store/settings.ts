import { CHECKING, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, numberBetween, orNone, plainText, wholeNumber, yesOrNo } from '#src/core/base/settings/setting-kind.ts';
import { databaseUrl } from './postgres/session/database-url.ts';

/** What the operator decides about what is kept. */
export const STORE_SETTINGS = {
  data_dir: setting(
    [
      ...CHECKING,
      'log',
      'history',
      'brand',
      'evaluate',
      'model',
      'rescore',
      'feedback',
      'lists',
      'pack',
      'key',
      'audit',
      'backup',
      'upgrade',
      'spool',
    ],
    plainText('a folder'),
    './data',
    'Folder of the two logs and of what the program was taught; made if it is missing.',
  ),
  client_key_file: setting(
    ['serve', 'history', 'key'],
    orNone(plainText('a file')),
    null,
    'File with 32 random bytes, the same on all nodes, by which clients are hashed for the private log and for limiter; one of its own in data_dir by default.',
  ),
  backup_key_file: setting(
    ['serve', 'backup', 'upgrade'],
    orNone(plainText('a file')),
    null,
    'File with 32 random bytes by which backups carry a MAC and restore verifies it; backup.key in data_dir by default, which no backup holds.',
  ),
  retention_days: setting(
    ['serve'],
    wholeNumber(0),
    90,
    'Days for which checks stay in the logs; 0 keeps them whatever their age.',
  ),
  retention_bytes: setting(
    ['serve'],
    wholeNumber(0),
    2_000_000_000,
    'Size, in bytes, that each of the two logs may have before its oldest checks go; 0 sets no bound.',
  ),
  retention_rows: setting(
    ['serve'],
    wholeNumber(0),
    0,
    'Number of checks that each of the two logs may have before its oldest go; 0 sets no bound.',
  ),
  disk_floor_percent: setting(
    ['serve'],
    wholeNumber(0, 50),
    5,
    'Free disk, in percent, below which the oldest checks of both logs go, so that others can be logged; never less than 16 MiB nor more than 1 GiB, and 0 sets no bound.',
  ),
  log_database: setting(
    [...CHECKING, 'log', 'history', 'model', 'rescore', 'lists', 'pack', 'key'],
    listOf(databaseUrl),
    [],
    'PostgreSQL databases that hold the public log in place of a file, tried in turn; several nodes may share them.',
  ),
  log_database_private: setting(
    [...CHECKING, 'log', 'history', 'model', 'rescore', 'lists', 'pack', 'key'],
    listOf(databaseUrl),
    [],
    'The same for the private log, which has a database of its own.',
  ),
  log_timeout_seconds: setting(
    CHECKING,
    numberBetween(0, 60),
    1,
    'Seconds for which a check waits for the database before it is kept on this node, or refused.',
  ),
  log_spool: setting(
    ['serve'],
    yesOrNo,
    true,
    'Whether checks are kept on this node while their database is away, and brought there later; they are refused otherwise.',
  ),
  log_spool_rows: setting(
    ['serve'],
    wholeNumber(1),
    1_000_000,
    'Checks that may wait on this node for each of the two databases before others are refused.',
  ),
  node_name: setting(
    [...CHECKING, 'log', 'lists', 'key'],
    orNone(plainText('a name')),
    null,
    'What this node is called among those that share a database; the name of the machine by default.',
  ),
};

/** Private checks in the database of the public ones would be for the same role to read. */
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
