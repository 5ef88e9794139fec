import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Returns true if there is a readable log; none exists before the first `serve`. */
export function hasHistory(
  config: Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'>,
  visibility: Visibility = 'public',
): boolean {
  const databases = visibility === 'public' ? config.log_database : config.log_database_private;
  return databases.length > 0 || existsSync(join(config.data_dir, `${visibility}.sqlite`));
}
