import { Type } from '@sinclair/typebox';
import type { KeyRing } from '#src/admin/keys/key-ring.ts';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import { type Cidr, cidrContains, type IpAddress } from '#src/core/base/addresses/ip.ts';
import { BLOCK_FORMATS } from '#src/parts/feeds/blocked/block-format.ts';
import type { CheckConnection } from '#src/service/server/check/check-route.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { ownHost, type SiteParts } from '#src/service/server/http/request-site.ts';
import { routesWith, type WithService } from '#src/service/server/http/routes-with.ts';
import { NOT_FOUND } from '#src/service/server/http/unrouted.ts';
import { type Bearer, bearerOf, UNAUTHORIZED } from '#src/service/server/keys/bearer.ts';
import type { CountedContext, QuotaParts } from '#src/service/server/limiter/counted.ts';
import { answerFeed } from './answer-feed.ts';
import type { Feed, FeedName } from './feed.ts';

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
export interface FeedRouteParts extends QuotaParts, Pick<SiteParts, 'isOwnHost'> {
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
