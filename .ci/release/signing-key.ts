import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { keyId, keysIn } from '#src/core/base/public-key.ts';

/** The public halves that the executable believes. */
export const BELIEVED = `${import.meta.dir}/../release-keys.pem`;

/**
 * Makes a key for releases: the private half in a new file that only its owner reads, the public one among those that the
 * executable believes. Answers with its identifier.
 *
 * @throws Error where the file is there already.
 */
export function makeSigningKey(path: string, believed = BELIEVED): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  const pem = publicPem(publicKey);
  appendFileSync(believed, pem);
  return keyId(pem);
}

/**
 * Reads the private key that signs a release.
 *
 * @throws Error for a key that executables would not believe, or that is no Ed25519 key.
 */
export function readSigningKey(path: string, believed = BELIEVED): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} holds no Ed25519 key`);
  const id = keyId(publicPem(createPublicKey(key)));
  if (!keysIn(readFileSync(believed, 'utf8')).map(keyId).includes(id)) {
    throw new Error(`the key ${id} of ${path} is not in ${believed}: no executable of this release would believe it`);
  }
  return key;
}

const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
