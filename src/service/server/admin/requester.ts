import { type ApiKey, SCOPES, type Scope } from '#src/admin/keys/api-key.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { PeerContext } from '#src/core/base/addresses/peer.ts';
import { refuse } from '../http/problem.ts';
import { ownHost, type SiteParts, sessionSiteRefusal } from '../http/request-site.ts';
import type { WithService } from '../http/routes-with.ts';
import { bearerOf, hasBearer, type ReadCredential, UNAUTHORIZED } from '../keys/bearer.ts';
import type { CountedContext, QuotaParts } from '../limiter/counted.ts';
import { sessionIdIn } from '../session/session-cookie.ts';
import type { Sessions } from '../session/sessions.ts';

/** What routes work with whose requests need a key or a session. */
export interface SignedInParts extends QuotaParts, SiteParts {
  readonly sessions: Sessions;
  /** Whether the client reached the service with TLS. */
  readonly isEncrypted: (context: PeerContext) => boolean;
  /** Address of the client; null if it has none, as behind a Unix socket. */
  readonly addressOf: (context: PeerContext) => string | null;
}

/** Who sent a request. */
export interface Requester {
  readonly key: ApiKey;
  readonly address: string | null;
}

const requesters = new WeakMap<Request, Requester>();

type Admit = (context: CountedContext & WithService<SignedInParts>) => Promise<void>;

/**
 * Creates the hook that admits the holders of a key with one of these scopes, shown as a Bearer token or by the session of
 * a cookie; all scopes by default. Throws ProblemError: 421 and 403 for a request that is not for this service or that
 * another site started, then 429 or 401, then 403 for a key without the scope.
 */
export function admitScopes(...scopes: readonly Scope[]): Admit {
  const wanted = scopes.length === 0 ? SCOPES : scopes;
  return async ({ request, server, set, service }) => {
    ownHost({ request, server, service });
    const key = await shownBySession({ request, server, set, service }, wanted);
    if (key === null) return refuse(UNAUTHORIZED);
    requesters.set(request, { key, address: service.addressOf({ request, server }) });
  };
}

/**
 * Returns the key that a request shows, as a Bearer token or by its session; null without one. Throws ProblemError 403 for
 * a session that another site uses; otherwise as `Quota.shownKey`.
 */
export async function shownBySession(
  { request, server, set, service }: CountedContext & WithService<SignedInParts>,
  scope: Scope | readonly Scope[],
): Promise<ApiKey | null> {
  const id = hasBearer(request.headers) ? null : sessionIdIn(request.headers, service.isEncrypted({ request, server }));
  if (id !== null) refuse(sessionSiteRefusal(request, service.ownNames));
  const ways = { read: credentialOf({ request, server, service }), unauthorized: UNAUTHORIZED };
  return await service.quota.shownKey({ request, server, set }, scope, ways);
}

/** Returns who sent a request that {@link admitScopes} admitted. */
export function requesterOf(request: Request): Requester {
  const requester = requesters.get(request);
  if (requester === undefined) throw new TypeError('no key was asked for');
  return requester;
}

/** Returns the same as the originator of a change in the audit log. */
export function actorOf(request: Request): Actor {
  const { key, address } = requesterOf(request);
  return { key: key.name, address };
}

/** A session that has ended is no credential: a page may send several requests before it learns that. */
function credentialOf({
  request,
  server,
  service: { sessions, isEncrypted },
}: PeerContext & WithService<Pick<SignedInParts, 'sessions' | 'isEncrypted'>>): ReadCredential {
  return (headers, keys) => {
    if (hasBearer(headers)) return bearerOf(headers, keys);
    const id = sessionIdIn(headers, isEncrypted({ request, server }));
    const session = id === null ? null : sessions.find(id);
    return session ? { kind: 'key', key: session.key } : { kind: 'none' };
  };
}
