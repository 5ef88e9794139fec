import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError } from './store-error.ts';

const KEY_BYTES = 32;

/** HMAC-SHA-256 of a client's key: the same client gives the same hash on this machine, and nothing on another. */
export type ClientHash = (client: string) => Buffer;

/** Reads the key in the data directory, and makes it where there is none. */
export function openClientHash(dataDir: string): ClientHash {
  const path = `${dataDir}/client.key`;
  if (!existsSync(path)) createKey(path);
  const key = readFileSync(path);
  if (key.length !== KEY_BYTES) {
    throw new StoreError('damaged', `${path} must hold ${KEY_BYTES} random bytes. Delete it to have a new one made.`);
  }
  return (client) => createHmac('sha256', key).update(client).digest();
}

/** A link appears whole or not at all, and fails where another process was first: both then read the same key. */
function createKey(path: string): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft);
  }
}
