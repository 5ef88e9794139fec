import { type SettingValues, setting } from '#src/base/setting.ts';
import { plainText, wholeNumber } from '#src/base/setting-kind.ts';

/** What the operator decides about what is kept. */
export const STORE_SETTINGS = {
  data_dir: setting(
    ['serve', 'check', 'log', 'brand', 'evaluate'],
    plainText('a folder'),
    './data',
    'Folder of the two logs and of what the program was taught; made if it is missing.',
  ),
  retention_days: setting(
    ['serve'],
    wholeNumber(0),
    0,
    'Days for which checks stay in the logs; 0 keeps them for good.',
  ),
};

/** The values of {@link STORE_SETTINGS}. */
export type StoreSettings = SettingValues<typeof STORE_SETTINGS>;
