import { Type } from '@sinclair/typebox';
import type { AuditedChange } from '#src/admin/audit/audit-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { PeerContext } from '#src/core/base/addresses/client-address.ts';
import type { AboutRouteParts } from '#src/service/server/about-route.ts';
import { actorOf, admitScopes, requesterOf, type SignedInParts } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { noBody } from '#src/service/server/http/json-body.ts';
import { badFields, type Problem, refuse } from '#src/service/server/http/problem.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { ownHost, sessionSiteRefusal } from '#src/service/server/http/request-site.ts';
import { routesWith, type WithService } from '#src/service/server/http/routes-with.ts';
import { hasBearer, UNAUTHORIZED } from '#src/service/server/keys/bearer.ts';
import { expiredCookie, sessionCookie, sessionTokenIn } from '#src/service/server/session/sessions.ts';
import { SessionSchema } from './answers/console-answers.ts';

export interface SessionRouteParts extends SignedInParts, Pick<AboutRouteParts, 'isLocal'> {
  /** Appends to the audit log; throws OperationError. */
  readonly audit: (by: Actor, what: AuditedChange) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const INSECURE: Problem = {
  code: 'insecure_connection',
  detail:
    'Signing in needs TLS, since a key must not cross the network in clear text: configure tls_certificate and tls_key, or ' +
    'a trusted_proxy with TLS, or use http://127.0.0.1 on the host of the service.',
};

/** The address of the client is that of the browser: behind a proxy on this host it is another. */
function requireTls({ request, server, service }: PeerContext & WithService<SessionRouteParts>): void {
  const context = { request, server };
  refuse(service.isEncrypted(context) || service.isLocal(context) ? null : INSECURE);
}

/** A session is exchanged for the key itself, not for another session; a body is no part of it. */
function requireBareKey({ request: { headers } }: { readonly request: Request }): void {
  refuse(hasBearer(headers) ? null : UNAUTHORIZED);
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  refuse(hasBody ? badFields([{ field: 'body', code: 'invalid_body', message: 'must be empty' }]) : null);
}

/** Another site must not sign anybody in or out; a program that sends neither header may. */
function ownSession({ request, server, service }: PeerContext & WithService<SessionRouteParts>): void {
  const { headers } = request;
  if (!headers.has('origin') && !headers.has('sec-fetch-site')) return;
  refuse(sessionSiteRefusal(request, service.ownNames, service.isEncrypted({ request, server })));
}

const SIGN_IN_REFUSALS = [
  'unauthorized',
  'cross_site',
  'misdirected',
  'rate_limited',
  'internal',
  'overloaded',
] as const;

/** `/api/session`: exchanges a key for a cookie, describes the session, and ends it. */
export const sessionRoutes = routesWith<SessionRouteParts>()
  .post(
    '/api/session',
    async ({ request, server, set, service }) => {
      const { key } = requesterOf(request);
      if (key === null) throw new TypeError('a user without a key was admitted');
      await service.quota.takeSignIn({ request, server, set }, key);
      service.audit(actorOf(request), { action: 'session.open', subject: key.name });
      set.headers['set-cookie'] = sessionCookie(service.sessions.open(key), service.isEncrypted({ request, server }));
      set.status = 204;
      return null;
    },
    {
      // A body is refused, not read.
      parse: [admitScopes(), ownSession, requireTls, requireBareKey, noBody],
      response: {
        204: answer(Type.Null(), { description: 'Signed in: the cookie is set.' }),
        ...refusals('invalid_body', 'insecure_connection', 'audit_unavailable', ...SIGN_IN_REFUSALS),
      },
      detail: {
        operationId: 'signIn',
        tags: ['Console'],
        summary: 'Sign in to the console',
        description:
          'Exchanges a key, sent as `Authorization: Bearer` without a body, for a session in the cookie `lurecheck_session` ' +
          '(`__Host-lurecheck_session` under TLS). Answers 204. It has the scopes of the key, and ends after 12 hours, after ' +
          '30 minutes without a request, and with the key. 403 `insecure_connection` without TLS from another host.',
      },
    },
  )
  .get(
    '/api/session',
    ({ request, server, service }) => {
      const { key, user, scopes } = requesterOf(request);
      const signedIn = { key: key?.name ?? null, user, scopes: [...scopes] };
      const token = sessionTokenIn(request.headers, service.isEncrypted({ request, server }));
      const session =
        key === null || hasBearer(request.headers) || token === null ? null : service.sessions.find(token);
      const ends = session ? new Date(service.now() + session.leftMs).toISOString() : (key?.expires_at ?? null);
      return { ...signedIn, expires_at: ends, idle_seconds: session ? session.idleMs / 1000 : null };
    },
    {
      transform: admitScopes(),
      response: {
        200: answer(SessionSchema, {
          description: 'The session.',
          example: {
            key: 'desk',
            user: null,
            scopes: ['admin'],
            expires_at: '2026-01-31T12:00:00.000Z',
            idle_seconds: 1800,
          },
        }),
        ...refusals(...SIGN_IN_REFUSALS),
      },
      detail: {
        operationId: 'readSession',
        tags: ['Console'],
        summary: 'Read the session',
        description:
          'Which key or user the request is signed in with: by its session, as a Bearer token, or by the proxy of a single ' +
          'sign-on. 401 if with none.',
      },
    },
  )
  .delete(
    '/api/session',
    ({ request, server, set, service }) => {
      const isEncrypted = service.isEncrypted({ request, server });
      const token = sessionTokenIn(request.headers, isEncrypted);
      const key = token === null ? null : service.sessions.close(token);
      const address = service.addressOf({ request, server });
      if (key) service.audit({ key: key.name, address }, { action: 'session.close', subject: key.name });
      set.headers['set-cookie'] = expiredCookie(isEncrypted);
      set.headers['clear-site-data'] = '"cache"';
      set.status = 204;
      return null;
    },
    {
      // Elysia's own parser would hold any body, from anybody, up to the bound of uploads.
      parse: [ownHost, ownSession, noBody],
      transform: [ownHost, ownSession],
      response: {
        204: answer(Type.Null(), { description: 'Signed out.' }),
        ...refusals('cross_site', 'misdirected', 'internal', 'audit_unavailable'),
      },
      detail: {
        operationId: 'signOut',
        tags: ['Console'],
        summary: 'Sign out of the console',
        description:
          'Ends the session of the cookie, and removes the cookie and the cache from the browser. Always 204.',
      },
    },
  );
