import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { namedFileProblem, obstacleOf } from '#src/base/named-file.ts';
import { SettingsError } from '#src/base/settings-error.ts';
import { placeFile } from '../file/private-file.ts';
import type { StoreSettings } from '../settings.ts';
import { StoreError } from '../store-error.ts';

const KEY_BYTES = 32;

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
  if (path === null) return null;
  const key = await readFile(path).catch((cause: unknown) => {
    throw new SettingsError([namedFileProblem('client_key_file', path, obstacleOf(cause))], { cause });
  });
  if (key.length === KEY_BYTES) return key;
  const what = `holds ${key.length} bytes, but must hold ${KEY_BYTES}: head -c ${KEY_BYTES} /dev/urandom makes them`;
  throw new SettingsError([namedFileProblem('client_key_file', path, what)]);
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
  let key = named ?? (existsSync(path) ? readKey(path) : null);
  return () => {
    key ??= makeKey(path);
    return key;
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
  try {
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    placeFile(draft, path);
  } finally {
    // On a full disk it is there, and empty.
    rmSync(draft, { force: true });
  }
  return readKey(path);
}
