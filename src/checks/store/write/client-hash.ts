import { createHmac } from 'node:crypto';
import { readNamedKey, readOrMakeSecretKey, readSecretKey } from '../file/secret-key.ts';
import type { StoreSettings } from '../settings.ts';

/** HMAC-SHA-256 of a client's key, which hosts with another key cannot reproduce. */
export type ClientHash = (client: string) => Buffer;

/**
 * Reads the key in the configured file; null if none is configured.
 *
 * @throws OperationError if it cannot be read, or holds something else
 */
export async function readClientKey({
  client_key_file: path = null,
}: Partial<Pick<StoreSettings, 'client_key_file'>>): Promise<Buffer | null> {
  return await readNamedKey('client_key_file', path);
}

/**
 * Returns a hash with the configured key, else with that in the data directory, which is created with the first hash so
 * that a first start need not wait for the disk.
 */
export function openClientHash(dataDir: string, named: Buffer | null = null): ClientHash {
  const key = openClientKey(dataDir, named);
  return (client) => createHmac('sha256', key()).update(client).digest();
}

/** Returns the key itself likewise, for deriving others. */
export function openClientKey(dataDir: string, named: Buffer | null = null): () => Buffer {
  const path = `${dataDir}/client.key`;
  let key = named ?? readSecretKey(path);
  return () => {
    key ??= readOrMakeSecretKey(path);
    return key;
  };
}
