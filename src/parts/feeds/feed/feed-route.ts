import { Type } from '@sinclair/typebox';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import { type Cidr, cidrContains, type IpAddress } from '#src/core/base/addresses/ip.ts';
import { BLOCK_FORMATS } from '#src/parts/export/blocked/block-format.ts';
import type { CheckConnection } from '#src/service/server/check/check-route.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { preferredCoding } from '#src/service/server/http/negotiation.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { ownHost, type SiteParts } from '#src/service/server/http/request-site.ts';
import { routesWith, type WithService } from '#src/service/server/http/routes-with.ts';
import { NOT_FOUND } from '#src/service/server/http/unrouted.ts';
import { type Bearer, bearerOf, UNAUTHORIZED } from '#src/service/server/keys/bearer.ts';
import type { CountedContext, QuotaParts } from '#src/service/server/limiter/counted.ts';
import type { Feed, FeedName } from './feed.ts';

/** Length of the digest in an entity tag, in hexadecimal digits. */
const DIGITS = 16;

/**
 * Answers a pull: 304 if the client has this version already, else the text, compressed if the client accepts gzip. An entity
 * tag has precedence over a time (RFC 9110 §13.2.2).
 */
function answerFeed(name: FeedName, feed: Feed, { method, headers }: Request, nowMs: number): Response {
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

/** Delivery of a feed, and its authorisation. */
export interface FeedService {
  isOn(): boolean;
  /** Networks whose hosts may pull feeds without a key. */
  peers(): readonly Cidr[];
  /** Returns the latest version of a feed; null if none could be made. */
  pull(name: FeedName): Promise<Feed | null>;
  /** Called with each answer; the name of the key is null for a peer that needs none. */
  onPulled(name: FeedName, status: number, keyName: string | null): void;
}

/** Dependencies of the route of the feeds. */
interface FeedRouteParts extends QuotaParts, Pick<SiteParts, 'isOwnHost'> {
  readonly feeds: FeedService;
  /** Address of the client; null if it has none. */
  readonly ipOf: (context: PeerContext) => IpAddress | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const SWITCHED_OFF: Problem = { code: 'switched_off', detail: 'The operator has not enabled the feeds.' };

/** A firewall keeps its last list on an error, and applies an empty one. */
const UNAVAILABLE: Problem = {
  code: 'feed_unavailable',
  detail: 'The lists cannot be read, so that there is no feed. The log of the service has the reason.',
  headers: { 'retry-after': '60' },
};

/** Endings that consoles of firewalls ask for in the address of a list. */
const EXTENSION = /\.(?:txt|json|conf)$/;

/** Basic authentication (RFC 7617), the only way that firewalls know. */
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * Reads the key in `Authorization`, either as bearer token or as password of Basic authentication with any user name.
 */
function feedCredentialOf(headers: Headers, keys: Pick<KeyRing, 'find'>): Bearer {
  const [, encoded] = BASIC.exec(headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return bearerOf(headers, keys);
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  // A name has no colon (RFC 7617 §2), but consoles accept one; no key has one.
  const key = text.includes(':') ? keys.find(text.slice(text.lastIndexOf(':') + 1)) : null;
  return key ? { kind: 'key', key } : { kind: 'unknown' };
}

/** {@link UNAUTHORIZED}, with both ways to send a key. */
const UNAUTHORIZED_FOR_FEED: Problem = {
  ...UNAUTHORIZED,
  detail: 'A key with the scope "feed" is required, as a Bearer token or as the password of Basic authentication.',
  headers: { 'www-authenticate': 'Basic realm="lurecheck", Bearer realm="lurecheck"' },
};

const keyNames = new WeakMap<Request, string>();

async function admitPull({ request, server, set, service }: CountedContext & WithService<FeedRouteParts>) {
  if (!service.feeds.isOn()) return refuse(SWITCHED_OFF);
  const ip = service.ipOf({ request, server });
  if (ip !== null && service.feeds.peers().some((peers) => cidrContains(peers, ip))) return;
  const ways = { read: feedCredentialOf, unauthorized: UNAUTHORIZED_FOR_FEED };
  const key = await service.quota.shownKey({ request, server, set }, 'feed', ways);
  if (key === null) return refuse(UNAUTHORIZED_FOR_FEED);
  keyNames.set(request, key.name);
}

/** Seconds of silence after which the connection of a client that does not read is closed. */
const SILENCE_SECONDS = 30;

async function pull(
  text: string,
  { request, server }: CheckConnection,
  { feeds, now }: FeedRouteParts,
): Promise<Response> {
  const wanted = text.replace(EXTENSION, '');
  const name = BLOCK_FORMATS.find((one) => one === wanted);
  if (name === undefined) throw new ProblemError(NOT_FOUND);
  // The first pull waits for as long as the feed takes to be made.
  server?.timeout(request, 0);
  const feed = await feeds.pull(name);
  server?.timeout(request, SILENCE_SECONDS);
  const keyName = keyNames.get(request) ?? null;
  if (feed === null) {
    feeds.onPulled(name, 503, keyName);
    throw new ProblemError(UNAVAILABLE);
  }
  const response = answerFeed(name, feed, request, now());
  feeds.onPulled(name, response.status, keyName);
  return response;
}

const FeedSchema = Type.String({
  contentMediaType: 'text/plain',
  description:
    'The feed. `domains`, `urls` and `addresses` have one entry per line and nothing else; `stix` is a bundle of STIX 2.1. ' +
    '`X-Lurecheck-Entries` is the number of lines, `X-Lurecheck-Left-Out` the number of entries that the format cannot hold, by reason.',
});

/** `GET /feeds/{feed}`: what is blocked, for appliances that pull it. */
export const feedRoute = routesWith<FeedRouteParts>()
  .onTransform(ownHost)
  .get('/feeds/:feed', ({ params, request, server, service }) => pull(params.feed, { request, server }, service), {
    transform: admitPull,
    params: Type.Object({
      feed: Type.String({
        description: `One of ${BLOCK_FORMATS.join(', ')}; an ending .txt, .json or .conf is ignored`,
        examples: ['domains'],
      }),
    }),
    response: {
      200: answer(FeedSchema, {
        description: 'The latest version.',
        example: 'evil.example\n*.evil.example\n',
        headers: ['ETag'],
      }),
      ...refusals(
        ...(['unauthorized', 'forbidden_scope', 'not_found', 'switched_off', 'misdirected'] as const),
        ...(['rate_limited', 'internal', 'feed_unavailable', 'overloaded'] as const),
      ),
    },
    detail: {
      operationId: 'pullFeed',
      tags: ['Feeds'],
      summary: 'Pull what is blocked',
      description:
        'What the lists block, as plain text for firewalls, resolvers and proxies, if the operator enabled it (`feeds`). Needs a ' +
        'key with the scope `feed`, as `Authorization: Bearer`, or as the password of Basic authentication with any name; or a ' +
        'host that the operator named (`feed_peers`). Answers 304 to `If-None-Match` or `If-Modified-Since` if nothing ' +
        'changed, and 503 if a list cannot be read: a feed is never empty by mistake.',
    },
  });
