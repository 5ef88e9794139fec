import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { keyId, keysIn } from '#src/core/base/public-key.ts';
import releaseKeys from '../../../../.ci/release-keys.pem' with { type: 'text' };

/** Names of the list of digests, and of the signature over it, beside the files of a release. */
export const SUMS = 'SHA256SUMS';
export const SIGNATURE = 'SHA256SUMS.sig';

/** The same signature for other programs, which is not listed either, since it is made of the list. */
export const MINISIGNATURE = 'SHA256SUMS.minisig';

/** Result of checking a file against a signed list. */
type Authenticity =
  | {
      readonly kind: 'genuine';
      /** Identifier of the key that signed. */
      readonly key: string;
    }
  | {
      /**
       * No key is known; none of the known ones signed the list; it has no such name; the file is not what it names, or
       * is another signature.
       */
      readonly kind: 'no_key' | 'not_signed' | 'not_listed' | 'different' | 'other_signature';
    };

/** A list of digests, and what came with it. */
interface SignedSums {
  /** Output of `sha256sum`: per line a hexadecimal digest, two spaces, and a name. */
  readonly sums: string;
  /** Ed25519 (RFC 8032), 64 bytes over the list as it is. */
  readonly signature: Uint8Array;
  /** Signature of minisign; null if there is none. */
  readonly minisignature?: string | null;
  /** Trusted public keys, as PEM; other text between them is ignored. */
  readonly keys: string;
}

/**
 * Verifies that a trusted key signed a list with this name and digest. The list and its signatures are verified under
 * their own names.
 *
 * @param sha256 of the file's bytes, in hexadecimal
 */
export function checkAgainstSums(
  name: string,
  sha256: string,
  { sums, signature, minisignature = null, keys }: SignedSums,
): Authenticity {
  const believed = keysIn(keys);
  if (believed.length === 0) return { kind: 'no_key' };
  const signer = believed.find((pem) => verify(null, Buffer.from(sums), createPublicKey(pem), signature));
  if (signer === undefined) return { kind: 'not_signed' };
  if (name === SUMS || name === SIGNATURE) return { kind: 'genuine', key: keyId(signer) };
  if (name === MINISIGNATURE) {
    const isSame = minisignature !== null && isMinisignature(minisignature, Buffer.from(sums), signer);
    return isSame ? { kind: 'genuine', key: keyId(signer) } : { kind: 'other_signature' };
  }
  const digests = sums.split('\n').filter((line) => line.slice(66) === name && line.slice(64, 66) === '  ');
  if (digests.length === 0) return { kind: 'not_listed' };
  const isSame = digests.every((line) => line.slice(0, 64) === sha256);
  return isSame ? { kind: 'genuine', key: keyId(signer) } : { kind: 'different' };
}

/** The four lines of a signature of minisign (https://jedisct1.github.io/minisign/, "Signature format"). */
const LINES = /^untrusted comment: [^\n]*\n([A-Za-z0-9+/=]+)\ntrusted comment: ([^\n]*)\n([A-Za-z0-9+/=]+)\n?$/;

/** "Ed" and the number of the key, before the signature. */
const PREFIX_BYTES = 10;

/** Returns true if a text is a signature of minisign over `bytes`, and over its own comment, by the key in PEM. */
function isMinisignature(text: string, bytes: Uint8Array, pem: string): boolean {
  const [, signed = '', comment = '', global = ''] = LINES.exec(text) ?? [];
  const key = createPublicKey(pem);
  const signature = Buffer.from(signed, 'base64').subarray(PREFIX_BYTES);
  return (
    verify(null, bytes, key, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(comment)]), key, Buffer.from(global, 'base64'))
  );
}

/** The public keys that this executable believes, as PEM. */
export const RELEASE_KEYS: string = releaseKeys;

/** Reasons why a file cannot be verified as released. */
type VerificationError = Exclude<Authenticity['kind'], 'genuine'> | 'not_readable' | 'no_sums';

/** Each as the end of a sentence about the file. */
export const VERIFICATION_ERRORS: Readonly<Record<VerificationError, string>> = {
  no_key: 'cannot be verified: this executable was built without a release key',
  not_signed: `is NOT trustworthy: the ${SUMS} beside it is not signed by a key that this executable trusts`,
  not_listed: `is NOT trustworthy: the ${SUMS} beside it does not list it`,
  different: `is NOT trustworthy: it differs from the file that ${SUMS} lists`,
  other_signature: `is NOT trustworthy: it is no signature over the ${SUMS} beside it by a key that this executable trusts`,
  not_readable: 'cannot be read',
  no_sums: `cannot be verified: ${SUMS} and ${SIGNATURE} of its release must be in the same folder`,
};

/**
 * Verifies a file against the signed list in its folder; `keys` as PEM. Missing files are results, never errors.
 *
 * @param copy path of the bytes, if they were copied from there
 */
export async function verifyReleased(
  path: string,
  keys: string,
  copy = path,
): Promise<Authenticity | { readonly kind: VerificationError }> {
  const signed = await readSums(dirname(path), keys);
  if (signed === null) return { kind: 'no_sums' };
  const sha256 = await digestOf(copy).catch(() => null);
  return sha256 === null ? { kind: 'not_readable' } : checkAgainstSums(basename(path), sha256, signed);
}

async function readSums(folder: string, keys: string): Promise<SignedSums | null> {
  const [sums, signature, minisignature] = await Promise.all([
    readFile(join(folder, SUMS), 'utf8').catch(() => null),
    readFile(join(folder, SIGNATURE)).catch(() => null),
    readFile(join(folder, MINISIGNATURE), 'utf8').catch(() => null),
  ]);
  return sums === null || signature === null ? null : { sums, signature, minisignature, keys };
}

/** The SHA-256 of a file, in hexadecimal. Throws what the system throws. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
