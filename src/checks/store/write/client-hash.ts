import { createHmac } from 'node:crypto';
import { readNamedKey, readOrMakeSecretKey, readSecretKey } from '../file/secret-key.ts';
import type { StoreSettings } from '../settings.ts';

/** HMAC-SHA-256 of a client's key: the same client gives the same hash on this machine, and nothing on another. */
export type ClientHash = (client: string) => Buffer;

/**
 * The key in the file that the operator named; null where none is.
 *
 * @throws SettingsError where it cannot be read, or holds something else
 */
export async function readClientKey({
  client_key_file: path = null,
}: Partial<Pick<StoreSettings, 'client_key_file'>>): Promise<Buffer | null> {
  return await readNamedKey('client_key_file', path);
}

/**
 * Hashes with the key that the operator named, else with that in the data directory; where there is none it is made with
 * the first hash, so that a first start need not wait for the disk.
 */
export function openClientHash(dataDir: string, named: Buffer | null = null): ClientHash {
  const key = openClientKey(dataDir, named);
  return (client) => createHmac('sha256', key()).update(client).digest();
}

/** The key itself, likewise, from which others are derived. */
export function openClientKey(dataDir: string, named: Buffer | null = null): () => Buffer {
  const path = `${dataDir}/client.key`;
  let key = named ?? readSecretKey(path);
  return () => {
    key ??= readOrMakeSecretKey(path);
    return key;
  };
}
