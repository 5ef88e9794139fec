import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import releaseKeys from '../../../../.ci/release-keys.pem' with { type: 'text' };
import { type Authenticity, checkAgainstSums, MINISIGNATURE, SIGNATURE, type SignedSums, SUMS } from './signed-sums.ts';

/** The public keys that this executable believes, as PEM. */
export const RELEASE_KEYS: string = releaseKeys;

/** Reasons why a file cannot be verified as released. */
export type VerificationError = Exclude<Authenticity['kind'], 'genuine'> | 'not_readable' | 'no_sums';

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
