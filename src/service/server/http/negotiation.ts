import Negotiator from 'negotiator';

/** Content codings in which an answer can be sent, that which costs least first. */
export const CODINGS = ['zstd', 'br', 'gzip'] as const;

/** A way of compressing an answer (RFC 9110 §8.4.1). */
export type Coding = (typeof CODINGS)[number];

/**
 * The coding that a client likes best (RFC 9110 §12.5.3), of several that it likes equally the one that it named first; null
 * where it is to get an answer as it is.
 */
export function preferredCoding<C extends Coding>(acceptEncoding: string | null, offered: readonly C[]): C | null {
  if (acceptEncoding === null) return null;
  const headers = { 'accept-encoding': acceptEncoding };
  const best = new Negotiator({ headers }).encoding([...offered, 'identity']);
  return offered.find((coding) => coding === best) ?? null;
}

/**
 * Whether a client would rather have events than JSON (RFC 9110 §12.5.1). Of two that it likes equally it means the more
 * specific one, then the one that it named first; who accepts neither gets JSON.
 */
export function prefersEvents(accept = ANYTHING): boolean {
  // Nearly all programs say this or nothing, and reading what a client prefers takes longer than all the rest of routing.
  if (accept === ANYTHING) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', EVENTS]) === EVENTS;
}

/** The media type that a client likes best of those offered, the first of them where it does not care, or accepts none. */
export function preferredType(accept: string | null, offered: readonly [string, ...string[]]): string {
  const headers = { accept: accept ?? ANYTHING };
  return new Negotiator({ headers }).mediaType([...offered]) ?? offered[0];
}

/** The language that a client likes best of those offered (RFC 9110 §12.5.4); English where it says nothing, or wants none of them. */
export function acceptedLanguage(acceptLanguage: string | null, offered: readonly string[]): string {
  if (acceptLanguage === null) return 'en';
  const headers = { 'accept-language': acceptLanguage };
  return new Negotiator({ headers }).languages([...offered])[0] ?? 'en';
}

const ANYTHING = '*/*';
const EVENTS = 'text/event-stream';
