import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { fingerprintOf } from '#src/core/base/public-key.ts';

/**
 * Public key and signature in the text form of minisign and OpenBSD's signify: a comment, then base64 of "Ed", 8 bytes that
 * name the key, and the key or signature (https://jedisct1.github.io/minisign/, "Signature format"; signify(1)). The
 * signature is plain Ed25519, which both programs verify.
 */
const ALGORITHM = Buffer.from('Ed');

/** The public half of an Ed25519 key. */
export function minisignKey(key: KeyObject): string {
  const publicKey = createPublicKey(key);
  // The key itself is the end of its DER form (RFC 8410 §4).
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return textOf(`lurecheck release key ${nameOf(publicKey).hex}`, [nameOf(publicKey).bytes, bytes]);
}

/** The signature over `bytes`; minisign shows `comment`, which is signed too, in one line. */
export function minisignature(key: KeyObject, bytes: Uint8Array, comment: string): string {
  const signature = sign(null, bytes, key);
  const { bytes: name, hex } = nameOf(createPublicKey(key));
  const signed = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  const text = textOf(`signature by lurecheck release key ${hex}`, [name, signature]);
  return `${text}trusted comment: ${comment}\n${signed.toString('base64')}\n`;
}

/** The identifier that `lurecheck verify` shows; minisign writes its bytes in reverse order. */
function nameOf(publicKey: KeyObject): { readonly bytes: Uint8Array; readonly hex: string } {
  const hex = fingerprintOf(publicKey).slice(0, 16);
  return { bytes: Buffer.from(hex, 'hex').toReversed(), hex };
}

function textOf(comment: string, parts: readonly Uint8Array[]): string {
  return `untrusted comment: ${comment}\n${Buffer.concat([ALGORITHM, ...parts]).toString('base64')}\n`;
}
