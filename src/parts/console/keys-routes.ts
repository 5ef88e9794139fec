import { type Static, Type } from '@sinclair/typebox';
import { type ApiKey, isExpired } from '#src/admin/keys/api-key.ts';
import { CREATE_KEY, type KeyManager, REVOKE_KEY, UPDATE_KEY } from '#src/admin/keys/manage-keys.ts';
import { actRoute, changedAsRead, etagOf, viewRoute } from '#src/service/server/admin/act-route.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS, type ChangeParts, refusing } from '#src/service/server/admin/change-parts.ts';
import { requesterOf } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { flagParameter } from '#src/service/server/http/parameter.ts';
import { ProblemError } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { NOT_FOUND } from '#src/service/server/http/unrouted.ts';
import { CreatedKeySchema, KeySchema, KeysSchema } from './answers/console-answers.ts';

export interface KeyRouteParts extends ChangeParts {
  readonly apiKeys: KeyManager;
  /** Returns the last use of a key, in milliseconds since the Unix epoch; null if unused since startup. */
  readonly keyUsedMs: (name: string) => number | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const EXAMPLE: Static<typeof KeySchema> = {
  name: 'mail-gateway',
  scopes: ['check', 'batch'],
  limit: 600,
  created_at: '2026-01-31T12:00:00.000Z',
  expires_at: null,
  expired: false,
  last_used_at: null,
  etag: '"Y2xhc3NpZmllciBvZiBsaW"',
};

function shown(key: ApiKey, { keyUsedMs, now }: KeyRouteParts): Static<typeof KeySchema> {
  const { name, scopes, limit, created_at, expires_at } = key;
  const usedMs = keyUsedMs(name);
  return {
    ...{ name, scopes, limit, created_at, expires_at },
    expired: isExpired(key, now()),
    last_used_at: usedMs === null ? null : new Date(usedMs).toISOString(),
    etag: etagOf(key),
  };
}

/** Returns the key of a path. Throws ProblemError 404. */
function keyNamed(name: string, { apiKeys }: KeyRouteParts): ApiKey {
  const key = apiKeys.list().find((one) => one.name === name);
  if (!key) throw new ProblemError(NOT_FOUND);
  return key;
}

const NAME_PARAMETER = Type.Object({
  name: Type.String({ description: 'Name of the key', examples: ['mail-gateway'] }),
});

/** `/api/admin/keys`: lists, creates, changes and revokes keys. */
export const keyRoutes = routesWith<KeyRouteParts>()
  .get(
    '/api/admin/keys',
    ({ service }) =>
      refusing(async () => ({
        items: service.apiKeys
          .list()
          .map((key) => shown(key, service))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      })),
    viewRoute(['admin'], {
      id: 'listKeys',
      summary: 'List the keys',
      description: 'The keys without their secrets, which nothing stores. Needs the scope `admin`.',
      answers: {
        200: answer(KeysSchema, { description: 'The keys.', example: { items: [EXAMPLE] } }),
      },
      refuses: ['conflict'],
    }),
  )
  .post(
    '/api/admin/keys',
    ({ body, request, set, service }) =>
      changedAsRead(
        { request, service },
        {
          async make(by) {
            const { name, scopes, limit = null, expires_at = null } = body;
            const { key, secret } = await service.apiKeys.create(by, { name, scopes, limit, expires_at });
            set.status = 201;
            return { ...shown(key, service), secret };
          },
        },
      ),
    actRoute(CREATE_KEY, {
      id: 'createKey',
      summary: 'Create a key',
      description:
        'Creates a key. Only this answer contains its secret. 409 if the name is taken. Needs the scope `admin`.',
      body: {
        description: 'JSON of at most 32 KiB.',
        example: { name: 'mail-gateway', scopes: ['check', 'batch'], limit: 600 },
      },
      answers: {
        201: answer(CreatedKeySchema, {
          description: 'The key was created; `secret` is shown once.',
          example: { ...EXAMPLE, secret: 'lck_0000000000000000000000000000000000000000000' },
        }),
      },
      refuses: [...BODY_REFUSALS, 'conflict'],
    }),
  )
  .patch(
    '/api/admin/keys/:name',
    ({ params: { name }, body, request, set, service }) =>
      changedAsRead(
        { request, service },
        {
          current: async () => etagOf(keyNamed(name, service)),
          async make(by) {
            const key = shown(await service.apiKeys.update(by, keyNamed(name, service), body), service);
            set.headers['etag'] = key.etag;
            return key;
          },
        },
      ),
    actRoute(UPDATE_KEY, {
      id: 'updateKey',
      summary: 'Change a key',
      description: 'Changes scopes, limit or expiry; the secret stays. Needs `If-Match` and the scope `admin`.',
      params: NAME_PARAMETER,
      body: { description: 'JSON of at most 32 KiB.', example: { limit: 100 } },
      answers: {
        200: answer(KeySchema, { description: 'The key as it is now.', example: EXAMPLE, headers: ['ETag'] }),
      },
      refuses: [...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'],
    }),
  )
  .delete(
    '/api/admin/keys/:name',
    ({ params: { name }, query: { self }, request, set, service }) =>
      changedAsRead(
        { request, service },
        {
          current: async () => etagOf(keyNamed(name, service)),
          async make(by) {
            if (requesterOf(request).key?.name === name && self !== 'true') {
              const detail = 'This is the key that you are signed in with. Send self=true to revoke it anyway.';
              throw new ProblemError({ code: 'conflict', detail });
            }
            await service.apiKeys.revoke(by, name, keyNamed(name, service));
            set.status = 204;
            return null;
          },
        },
      ),
    actRoute(REVOKE_KEY, {
      id: 'revokeKey',
      summary: 'Revoke a key',
      description: 'Answers 204. The key and its sessions end at once. Needs `If-Match` and the scope `admin`.',
      params: NAME_PARAMETER,
      query: Type.Object({ self: flagParameter('Revoke the key of this request itself') }),
      answers: { 204: answer(Type.Null(), { description: 'The key is revoked.' }) },
      refuses: [...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'],
    }),
  );
