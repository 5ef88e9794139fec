import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { withoutPassword } from '#src/checks/record/without-password.ts';
import { zlib } from '#src/core/base/lazily.ts';

/** Signs results, so that a link with a result can be distinguished from a forgery. */
export interface ResultSigner {
  /** The signature (Ed25519, base64url) of a result as the page shows it, without a password that was typed. */
  sign(result: CheckResult): string;
  /** Returns true if a link's result was signed here. */
  isSigned(link: string): boolean;
  /** Returns the result of a link; null if it was not signed here. */
  signedResult(link: string): CheckResult | null;
  /**
   * Signs the result of a link with its mismatch; null if the link was not signed here. The client states the mismatch,
   * which can only make the verdict more severe.
   */
  signMismatch(link: string, mismatch: SignedMismatch): string | null;
  /** The public key, base64url, for who verifies elsewhere. */
  publicKey(): string;
}

/** The host that a message named, and the one to which its link goes. */
export interface SignedMismatch {
  readonly says: string;
  readonly goes_to: string;
}

/** Prefix of the signed text, so that a signature is valid for this purpose only. */
const PURPOSE = 'lurecheck result 1\n';

/** PKCS #8 of an Ed25519 key up to the 32 bytes of its seed (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** No record is larger, even with each character escaped. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** `secret` is asked for with the first signature; all services that have the same one take each other's results for their own. */
export function createResultSigner(secret: () => Buffer): ResultSigner {
  let made: { readonly own: KeyObject; readonly shown: KeyObject } | null = null;
  function keys() {
    made ??= deriveKeys(secret());
    return made;
  }
  const signText = (text: string) => sign(null, messageOf(text), keys().own).toString('base64url');
  function signedText(link: string): string | null {
    const text = textIn(link);
    const signature = Buffer.from(link.slice(link.indexOf('.') + 1), 'base64url');
    return text !== null && verify(null, messageOf(text), keys().shown, signature) ? text : null;
  }
  function signedResult(link: string): CheckResult | null {
    const text = signedText(link);
    return text === null ? null : JSON.parse(text);
  }
  return {
    sign: (result) => signText(JSON.stringify(withoutPassword(result))),
    isSigned: (link) => signedText(link) !== null,
    signedResult,
    signMismatch(link, mismatch) {
      const result = signedResult(link);
      return result && signText(JSON.stringify({ ...result, mismatch }));
    },
    publicKey: () => keys().shown.export({ format: 'jwk' }).x ?? '',
  };
}

function deriveKeys(secret: Buffer) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'lurecheck result links', 32));
  const own = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  return { own, shown: createPublicKey(own) };
}

function messageOf(text: string): Buffer {
  return Buffer.from(`${PURPOSE}${text}`);
}

/** Returns the text of a link, which is packed (DEFLATE, base64url) before its signature; null if there is none. */
function textIn(link: string): string | null {
  const [packed = '', signature] = link.split('.', 2);
  if (signature === undefined) return null;
  try {
    return zlib()
      .inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: MAX_TEXT_BYTES })
      .toString('utf8');
  } catch {
    return null; // Not packed as it should be, or larger than anything that was ever signed.
  }
}
