import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { placeFile } from '../file/private-file.ts';
import { StoreError } from '../store-error.ts';

const KEY_BYTES = 32;

/** HMAC-SHA-256 of a client's key: the same client gives the same hash on this machine, and nothing on another. */
export type ClientHash = (client: string) => Buffer;

/**
 * Reads the key in the data directory; where there is none it is made with the first hash, so that a first start need not
 * wait for the disk.
 */
export function openClientHash(dataDir: string): ClientHash {
  const path = `${dataDir}/client.key`;
  let key = existsSync(path) ? readKey(path) : null;
  return (client) => {
    key ??= makeKey(path);
    return createHmac('sha256', key).update(client).digest();
  };
}

function readKey(path: string): Buffer {
  const key = readFileSync(path);
  if (key.length === KEY_BYTES) return key;
  throw new StoreError('damaged', `${path} must hold ${KEY_BYTES} random bytes. Delete it to have a new one made.`);
}

/** Of two processes that make one at once, both read the key that was placed first. */
function makeKey(path: string): Buffer {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  placeFile(draft, path);
  return readKey(path);
}
