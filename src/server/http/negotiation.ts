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
export function prefersEvents(accept = '*/*'): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', EVENTS]) === EVENTS;
}

const EVENTS = 'text/event-stream';
