import { createPublicKey, verify } from 'node:crypto';

/** The four lines of a signature of minisign (https://jedisct1.github.io/minisign/, "Signature format"). */
const LINES = /^untrusted comment: [^\n]*\n([A-Za-z0-9+/=]+)\ntrusted comment: ([^\n]*)\n([A-Za-z0-9+/=]+)\n?$/;

/** "Ed" and the number of the key, before the signature. */
const PREFIX_BYTES = 10;

/** Returns true if a text is a signature of minisign over `bytes`, and over its own comment, by the key in PEM. */
export function isMinisignature(text: string, bytes: Uint8Array, pem: string): boolean {
  const [, signed = '', comment = '', global = ''] = LINES.exec(text) ?? [];
  const key = createPublicKey(pem);
  const signature = Buffer.from(signed, 'base64').subarray(PREFIX_BYTES);
  return (
    verify(null, bytes, key, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(comment)]), key, Buffer.from(global, 'base64'))
  );
}
