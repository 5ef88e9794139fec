import { hostname } from 'node:os';
import type { Logger } from '#src/core/base/logger.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { type ApiKey, writeKeys } from '#src/admin/keys/api-key.ts';
import { keyFileIn, readKeyText } from '#src/admin/keys/key-file.ts';
import type { ResolveHost } from '#src/checks/store/postgres/session/session.ts';
import type { SharedFile } from '#src/checks/store/postgres/session/shared-file.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import type { ConfigFor } from './config.ts';
import { checkDatabaseAuthorities } from './fleet/database-authorities.ts';

/** What names the databases, and the key that encrypts what they hold for the fleet. */
export type SharedKeysSettings = ConfigFor<'key'>;

/** Whether keys belong to a fleet; they are a file of any other installation. */
export function areKeysShared({ log_database: databases, client_key_file: keyFile }: SharedKeysSettings): boolean {
  return databases.length > 0 && keyFile !== null;
}

/** Changes the keys of the fleet, once or again if they change in between. Throws SettingsError if the database cannot be used. */
export async function changeSharedKeys(
  config: SharedKeysSettings,
  change: (keys: readonly ApiKey[]) => readonly ApiKey[],
): Promise<void> {
  const { changeSharedFile } = await import('#src/checks/store/postgres/session/shared-file.ts');
  const changed = (text: string | null) => writeKeys(change(readKeyText(text, 'the database')));
  await changeSharedFile(await keysOf(config), changed);
}

/** Brings the copy of a data directory up to date. Throws SettingsError if the database cannot be used. */
export async function pullSharedKeys(config: SharedKeysSettings): Promise<void> {
  const { pullSharedFile } = await import('#src/checks/store/postgres/session/shared-file.ts');
  await pullSharedFile(await keysOf(config));
}

/** Follows the keys of the fleet. */
export async function followSharedKeys(
  config: SharedKeysSettings,
  databases: Pick<DatabaseLog, 'readShared'>,
  tools: { readonly logger: Logger; readonly resolve: ResolveHost; readonly look: () => Promise<unknown> },
): Promise<AsyncDisposable> {
  const { followSharedFile } = await import('#src/checks/store/postgres/session/shared-file.ts');
  return followSharedFile(await keysOf(config, tools.resolve), databases, tools);
}

async function keysOf(config: SharedKeysSettings, resolve?: ResolveHost): Promise<SharedFile> {
  const clientKey = await readClientKey(config);
  if (clientKey === null) throw new SettingsError(['client_key_file is missing']);
  await checkDatabaseAuthorities(config);
  const urls = { public: config.log_database, private: config.log_database_private };
  const { data_dir: dataDir, node_name: name } = config;
  return { name: 'keys', path: keyFileIn(dataDir), dataDir, urls, clientKey, changedBy: name ?? hostname(), resolve };
}
