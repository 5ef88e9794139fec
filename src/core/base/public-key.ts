import { createHash, createPublicKey, type KeyObject } from 'node:crypto';

/** The public keys in a text, each as PEM; what stands between them is a remark. */
export function keysIn(text: string): string[] {
  return text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
}

/** How a public key is known: the SHA-256 of its DER form (SubjectPublicKeyInfo), in hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** How people name a public key in PEM: the first 16 digits of its fingerprint. */
export function keyId(pem: string): string {
  return shortId(fingerprintOf(createPublicKey(pem)));
}

/** The part of a fingerprint that people are shown where nothing is decided by it. */
export function shortId(fingerprint: string): string {
  return fingerprint.slice(0, 16);
}
