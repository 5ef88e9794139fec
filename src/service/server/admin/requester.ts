import { type ApiKey, SCOPES, type Scope } from '#src/admin/keys/api-key.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import { MISDIRECTED } from '../http/misdirected.ts';
import { refuse } from '../http/problem.ts';
import { type SiteParts, sessionSiteRefusal } from '../http/request-site.ts';
import type { WithService } from '../http/routes-with.ts';
import { bearerOf, hasBearer, type ReadCredential, scopeRefusal, UNAUTHORIZED } from '../keys/bearer.ts';
import type { CountedContext, QuotaParts } from '../limiter/counted.ts';
import type { AuthUser } from '../session/auth-settings.ts';
import { type Sessions, sessionCookie, sessionTokenIn } from '../session/sessions.ts';

/** Dependencies of routes that require a key, a session or a user. */
export interface SignedInParts extends QuotaParts, SiteParts {
  readonly sessions: Sessions;
  /** The user whom a trusted proxy names, and the scopes of that user; null without one. Throws ProblemError 401. */
  readonly userOf: (context: PeerContext) => AuthUser | null;
  /** Returns true if the client reached the service with TLS. */
  readonly isEncrypted: (context: PeerContext) => boolean;
  /** Address of the client; null if it has none, as behind a Unix socket. */
  readonly addressOf: (context: PeerContext) => string | null;
}

/** Whose rights a request has. */
export type Holder = {
  readonly scopes: readonly string[];
} & (
  | {
      readonly key: ApiKey;
      /** The user whom a proxy names beside the key; null without one. */
      readonly user: string | null;
    }
  /** A user whom a proxy names, who needs no key. */
  | { readonly key: null; readonly user: string }
);

/** Holder of a request. */
export type Requester = Holder & { readonly address: string | null };

const requesters = new WeakMap<Request, Requester>();

type Admit = (context: CountedContext & WithService<SignedInParts>) => Promise<void>;

/**
 * Creates the hook that admits holders of one of these scopes: of a key, shown as a Bearer token or by the session of a
 * cookie, or users whom a trusted proxy names; all scopes by default. Throws ProblemError as {@link shownBySession}, and 401
 * for who shows nothing.
 */
export function admitScopes(...scopes: readonly Scope[]): Admit {
  const wanted = scopes.length === 0 ? SCOPES : scopes;
  return async ({ request, server, set, service }) => {
    const holder = await shownBySession({ request, server, set, service }, wanted);
    if (holder === null) return refuse(UNAUTHORIZED);
    requesters.set(request, { ...holder, address: service.addressOf({ request, server }) });
  };
}

/**
 * Returns whose rights a request has: those of its Bearer token, else of the user whom a trusted proxy names, else of its
 * session; null without any. Throws ProblemError: 429 for who shows too many keys or sessions that do not hold, 421 for a
 * request that is not for this service, 403 for a session or user that another site uses, 401, and 403 for what lacks the
 * scope.
 */
export async function shownBySession(
  { request, server, set, service }: CountedContext & WithService<SignedInParts>,
  scope: Scope | readonly Scope[],
): Promise<Holder | null> {
  const isBearer = hasBearer(request.headers);
  const isEncrypted = service.isEncrypted({ request, server });
  const token = isBearer ? null : sessionTokenIn(request.headers, isEncrypted);
  const named = service.userOf({ request, server });
  // A browser adds both to all requests, also those that another site starts.
  const isAdded = !isBearer && (token !== null || named !== null);
  const otherSite = isAdded ? sessionSiteRefusal(request, service.ownNames, isEncrypted) : null;
  const refusal = service.isOwnHost({ request, server }) ? otherSite : MISDIRECTED;
  const notFor = named && scopeRefusal(named, scope, `The user ${named.user}`);
  if (named !== null && named.scopes.length > 0 && !isBearer) {
    refuse(refusal ?? notFor);
    return { key: null, ...named };
  }
  // What another site started does not count as a use of the session.
  const renew = (renewed: string) => {
    set.headers['set-cookie'] = sessionCookie(renewed, isEncrypted);
  };
  const read = token === null || refusal !== null ? bearerOf : sessionReader(service.sessions, token, renew);
  const ways = { read, refusal, unauthorized: UNAUTHORIZED };
  const key = await service.quota.shownKey({ request, server, set }, scope, ways);
  if (key !== null) return { key, user: named?.user ?? null, scopes: key.scopes };
  refuse(notFor);
  return null;
}

function sessionReader(sessions: Sessions, token: string, renew: (renewed: string) => void): ReadCredential {
  return () => {
    const session = sessions.find(token);
    if (session?.renewed != null) renew(session.renewed);
    return session ? { kind: 'key', key: session.key } : { kind: 'ended' };
  };
}

/** Returns who sent a request that {@link admitScopes} admitted. */
export function requesterOf(request: Request): Requester {
  const requester = requesters.get(request);
  if (requester === undefined) throw new TypeError('no key was asked for');
  return requester;
}

/** Returns the same as the originator of a change in the audit log. */
export function actorOf(request: Request): Actor {
  const { key, user, address } = requesterOf(request);
  if (key === null) return { user, address };
  return { key: key.name, ...(user !== null && { user }), address };
}

/** Returns a function that is true as long as what a request was admitted with holds: its session, its key, or its user. */
export function staysSignedIn({ request, server, service }: PeerContext & WithService<SignedInParts>): () => boolean {
  const { key, user, scopes } = requesterOf(request);
  if (key === null) {
    return () => {
      const named = service.userOf({ request, server });
      return named?.user === user && named.scopes.join() === scopes.join();
    };
  }
  const isBearer = hasBearer(request.headers);
  const token = isBearer ? null : sessionTokenIn(request.headers, service.isEncrypted({ request, server }));
  return () => (token === null ? service.sessions.holdsKey(key) : service.sessions.find(token) !== null);
}

/** Returns true if a request comes with a session that holds. */
export function isSignedIn({ request, server, service }: PeerContext & WithService<SignedInParts>): boolean {
  const token = sessionTokenIn(request.headers, service.isEncrypted({ request, server }));
  return token !== null && service.sessions.find(token) !== null;
}
