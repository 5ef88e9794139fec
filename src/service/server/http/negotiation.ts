import Negotiator from 'negotiator';
import { zlib } from '#src/core/base/lazily.ts';

/** Brotli's own default takes fifty times as long for a twentieth less. */
const BROTLI_QUALITY = 3;

/**
 * Compresses an answer: some 15 µs for a check, a tenth of the check's own time. The length reveals nothing (BREACH):
 * an attacker cannot put text beside a secret in one answer. Only the client starts a check, the checked site receives
 * the URL anyway, and no answer contains a cookie, key or token.
 */
export function compress(content: string | Uint8Array<ArrayBuffer>, coding: Coding): Uint8Array<ArrayBuffer> {
  switch (coding) {
    case 'zstd':
      return Uint8Array.from(Bun.zstdCompressSync(content));
    case 'br':
      return Uint8Array.from(brotli(content));
    case 'gzip':
      return Bun.gzipSync(content, { level: 4 });
  }
}

function brotli(content: string | Uint8Array<ArrayBuffer>): Buffer {
  const { brotliCompressSync, constants } = zlib();
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/** Content codings in which an answer can be sent, that which costs least first. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const;

/** A way of compressing an answer (RFC 9110 §8.4.1). */
export type Coding = (typeof CODINGS)[number];

/**
 * Returns the client's preferred coding (RFC 9110 §12.5.3), the first named of equals; null if the client prefers none.
 */
export function preferredCoding<C extends Coding>(acceptEncoding: string | null, offered: readonly C[]): C | null {
  if (acceptEncoding === null) return null;
  const headers = { 'accept-encoding': acceptEncoding };
  const best = new Negotiator({ headers }).encoding([...offered, 'identity']);
  return offered.find((coding) => coding === best) ?? null;
}

/**
 * Returns true if a client prefers events to JSON (RFC 9110 §12.5.1). Equal preferences are decided by specificity,
 * then by order. Clients that accept neither get JSON.
 */
export function prefersEvents(accept = ANYTHING): boolean {
  // Nearly all programs say this or nothing, and reading what a client prefers takes longer than all the rest of routing.
  if (accept === ANYTHING) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', EVENTS]) === EVENTS;
}

/**
 * Returns the client's preferred media type of those offered; the first of them without a preference or an acceptable
 * type.
 */
export function preferredType(accept: string | null, offered: readonly [string, ...string[]]): string {
  const headers = { accept: accept ?? ANYTHING };
  return new Negotiator({ headers }).mediaType([...offered]) ?? offered[0];
}

/**
 * Returns the client's preferred language of those offered (RFC 9110 §12.5.4); English without a preference or an
 * acceptable one.
 */
export function acceptedLanguage(acceptLanguage: string | null, offered: readonly string[]): string {
  if (acceptLanguage === null) return 'en';
  const headers = { 'accept-language': acceptLanguage };
  return new Negotiator({ headers }).languages([...offered])[0] ?? 'en';
}

const ANYTHING = '*/*';
const EVENTS = 'text/event-stream';
