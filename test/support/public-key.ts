import { generateKeyPairSync } from 'node:crypto';
import { derBits, derInteger, derOid, derSequence } from './der-writer.ts';

/** A public RSA key of just that length to be put into a certificate. Nobody has its private half: none exists. */
export function rsaPublicKey(bits: number): Uint8Array {
  const modulus = Buffer.alloc(bits / 8, 0xa5);
  return derSequence(
    derSequence(derOid('1.2.840.113549.1.1.1'), Buffer.from([0x05, 0x00])),
    derBits(derSequence(derInteger(modulus), derInteger(Buffer.from([1, 0, 1])))),
  );
}

/** A public Ed25519 key. */
export function ed25519PublicKey(): Uint8Array {
  return generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
}
