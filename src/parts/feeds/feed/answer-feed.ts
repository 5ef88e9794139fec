import { preferredCoding } from '#src/service/server/http/negotiation.ts';
import type { Feed, FeedName } from './feed.ts';

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

/** Size of a piece, in bytes: it costs about a tenth of a millisecond to send. */
const PIECE_BYTES = 256 * 1024;

/** Pieces of all answers together that one turn of the event loop sends. */
const PIECES_PER_TURN = 4;

const waiting: (() => void)[] = [];

function giveTurns(): void {
  for (const go of waiting.splice(0, PIECES_PER_TURN)) go();
  if (waiting.length > 0) setImmediate(giveTurns);
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurns);
  });
}

/**
 * Returns bytes as a stream whose pieces take turns with those of all other such answers. As one body, hundreds of answers at
 * once would be written to their sockets in one turn of the event loop, and every other request would wait.
 */
function paced(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  let isOpen = true;
  return new ReadableStream(
    {
      async pull(controller) {
        await turn();
        if (!isOpen) return;
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
        if (at >= bytes.length) controller.close();
      },
      cancel() {
        isOpen = false;
      },
    },
    { highWaterMark: 0 },
  );
}
