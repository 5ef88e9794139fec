import type { Feed, FeedName } from '#src/parts/feeds/feed/feed.ts';
import { preferredCoding } from '../http/negotiation.ts';
import { paced } from '../http/paced.ts';

/** Length of the digest in an entity tag, in hexadecimal digits. */
const DIGITS = 16;

/**
 * Answers a pull: 304 if the client has this version already, else the text, compressed if the client accepts gzip. An entity
 * tag has precedence over a time (RFC 9110 §13.2.2).
 */
export function answerFeed(name: FeedName, feed: Feed, { method, headers }: Request, nowMs: number): Response {
  const isPacked = preferredCoding(headers.get('accept-encoding'), ['gzip']) === 'gzip';
  const tag = `${feed.sha256.slice(0, DIGITS)}-${(feed.changedMs / 1000).toString(16)}`;
  // Two codings of a text are two representations, and a strong tag is that of one (RFC 9110 §8.8.3.3).
  const [plainTag, packedTag] = [`"${tag}"`, `"${tag}-gzip"`];
  const described = {
    etag: isPacked ? packedTag : plainTag,
    'last-modified': new Date(Math.min(feed.changedMs, nowMs)).toUTCString(),
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'Accept-Encoding, Authorization',
    'x-lurecheck-entries': String(feed.lines),
    'x-lurecheck-left-out': Array.from(feed.leftOut, ([reason, count]) => `${reason}=${count}`).join(', '),
  };
  if (isKnown(headers, feed, [plainTag, packedTag])) return new Response(null, { status: 304, headers: described });
  const body = isPacked ? feed.packed : feed.text;
  const sent = {
    ...described,
    // Also for HEAD: an appliance that asks for the size first must not take the list for empty (RFC 9110 §8.6).
    'content-length': String(body.length),
    'content-type': name === 'stix' ? 'application/stix+json;version=2.1' : 'text/plain; charset=utf-8',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  };
  if (method === 'HEAD') return new Response(null, { headers: sent });
  return new Response(paced(body), { headers: sent });
}

function isKnown(headers: Headers, { changedMs }: Feed, tags: readonly string[]): boolean {
  const match = headers.get('if-none-match');
  // The comparison is weak (RFC 9110 §13.1.2).
  if (match !== null)
    return match.split(',').some((one) => one.trim() === '*' || tags.includes(one.trim().replace(/^W\//, '')));
  return Date.parse(headers.get('if-modified-since') ?? '') >= changedMs;
}
