import { type SettingValues, setting } from '#src/base/setting.ts';
import { orNone, plainText, wholeNumber } from '#src/base/setting-kind.ts';

/** What the operator decides about what is kept. */
export const STORE_SETTINGS = {
  data_dir: setting(
    ['serve', 'check', 'log', 'history', 'brand', 'evaluate'],
    plainText('a folder'),
    './data',
    'Folder of the two logs and of what the program was taught; made if it is missing.',
  ),
  client_key_file: setting(
    ['serve'],
    orNone(plainText('a file')),
    null,
    'File with 32 random bytes, the same on all nodes, by which clients are hashed for the private log and for limiter; one of its own in data_dir by default.',
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
};

/** The values of {@link STORE_SETTINGS}. */
export type StoreSettings = SettingValues<typeof STORE_SETTINGS>;
