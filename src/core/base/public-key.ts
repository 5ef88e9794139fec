import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** Returns the public keys in a text, each as PEM. Text between them is ignored. */
export function keysIn(text: string): string[] {
  return text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
}

/** Returns the fingerprint of a public key: SHA-256 of its DER form (SubjectPublicKeyInfo), in hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Returns the short id of a public key in PEM: the first 16 digits of its fingerprint. */
export function keyId(pem: string): string {
  return shortId(fingerprintOf(createPublicKey(pem)));
}

/** Shortens a fingerprint for display, not for decisions. */
export function shortId(fingerprint: string): string {
  return fingerprint.slice(0, 16);
}
