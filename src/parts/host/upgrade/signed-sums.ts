import { createPublicKey, verify } from 'node:crypto';
import { keyId, keysIn } from '#src/core/base/public-key.ts';
import { isMinisignature } from './minisignature.ts';

/** Names of the list of digests, and of the signature over it, beside the files of a release. */
export const SUMS = 'SHA256SUMS';
export const SIGNATURE = 'SHA256SUMS.sig';

/** The same signature for other programs, which is not listed either, since it is made of the list. */
export const MINISIGNATURE = 'SHA256SUMS.minisig';

/** Result of checking a file against a signed list. */
export type Authenticity =
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
export interface SignedSums {
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
