import { type Static, Type } from '@sinclair/typebox';
import { type ApiKey, isExpired } from '#src/admin/keys/api-key.ts';
import { KeyChangeSchema, NewKeySchema } from '#src/admin/keys/key-inputs.ts';
import type { KeyManager } from '#src/admin/keys/manage-keys.ts';
import { answer } from '../http/answer.ts';
import { documented } from '../http/documented.ts';
import { noBody, parseJsonObject } from '../http/json-body.ts';
import { ProblemError } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { NOT_FOUND } from '../http/unrouted.ts';
import { flagParameter } from './admin-parameters.ts';
import { BODY_REFUSALS, CHANGE_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import { CreatedKeySchema, KeySchema, KeysSchema } from './answers/key-answer.ts';
import { refusing } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes, requesterOf, type SignedInParts } from './requester.ts';

export interface KeyRouteParts extends SignedInParts {
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

/** Returns the key of a path as its client read it; throws ProblemError 404, 428, 412. */
function matched(name: string, request: Request, { apiKeys }: KeyRouteParts): ApiKey {
  const key = apiKeys.list().find((one) => one.name === name);
  if (!key) throw new ProblemError(NOT_FOUND);
  requireMatch(request, etagOf(key));
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
    {
      transform: admitScopes('admin'),
      response: {
        200: answer(KeysSchema, { description: 'The keys.', example: { items: [EXAMPLE] } }),
        ...refusals(...CONSOLE_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'listKeys',
        tags: ['Console'],
        summary: 'List the keys',
        description: 'The keys without their secrets, which nothing stores. Needs the scope `admin`.',
      },
    },
  )
  .post(
    '/api/admin/keys',
    ({ body, request, status, service }) =>
      refusing(async () => {
        const { name, scopes, limit = null, expires_at = null } = body;
        const made = await service.apiKeys.create(actorOf(request), { name, scopes, limit, expires_at });
        return status(201, { ...shown(made.key, service), secret: made.secret });
      }),
    {
      parse: [admitScopes('admin'), parseJsonObject],
      body: documented(NewKeySchema, {
        description: 'JSON of at most 32 KiB.',
        example: { name: 'mail-gateway', scopes: ['check', 'batch'], limit: 600 },
      }),
      response: {
        201: answer(CreatedKeySchema, {
          description: 'The key was created; `secret` is shown once.',
          example: { ...EXAMPLE, secret: 'lck_0000000000000000000000000000000000000000000' },
        }),
        ...refusals(...CONSOLE_REFUSALS, ...BODY_REFUSALS, 'conflict'),
      },
      detail: {
        operationId: 'createKey',
        tags: ['Console'],
        summary: 'Create a key',
        description:
          'Creates a key. Only this answer contains its secret. 409 if the name is taken. Needs the scope `admin`.',
      },
    },
  )
  .patch(
    '/api/admin/keys/:name',
    ({ params, body, request, set, service }) =>
      refusing(async () => {
        const known = matched(params.name, request, service);
        const key = shown(await service.apiKeys.update(actorOf(request), known, body), service);
        set.headers['etag'] = key.etag;
        return key;
      }),
    {
      parse: [admitScopes('admin'), parseJsonObject],
      params: NAME_PARAMETER,
      body: documented(KeyChangeSchema, { description: 'JSON of at most 32 KiB.', example: { limit: 100 } }),
      response: {
        200: answer(KeySchema, { description: 'The key as it is now.', example: EXAMPLE, headers: ['ETag'] }),
        ...refusals(...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'),
      },
      detail: {
        operationId: 'updateKey',
        tags: ['Console'],
        summary: 'Change a key',
        description: 'Changes scopes, limit or expiry; the secret stays. Needs `If-Match` and the scope `admin`.',
      },
    },
  )
  .delete(
    '/api/admin/keys/:name',
    ({ params, query, request, set, service }) =>
      refusing(async () => {
        const known = matched(params.name, request, service);
        if (requesterOf(request).key?.name === params.name && query.self !== 'true') {
          const detail = 'This is the key that you are signed in with. Send self=true to revoke it anyway.';
          throw new ProblemError({ code: 'conflict', detail });
        }
        await service.apiKeys.revoke(actorOf(request), params.name, known);
        set.status = 204;
        return null;
      }),
    {
      parse: [admitScopes('admin'), noBody],
      transform: readQuery,
      params: NAME_PARAMETER,
      query: Type.Object({ self: flagParameter('Revoke the key of this request itself') }),
      response: {
        204: answer(Type.Null(), { description: 'The key is revoked.' }),
        ...refusals(...CHANGE_REFUSALS, ...BODY_REFUSALS, 'not_found'),
      },
      detail: {
        operationId: 'revokeKey',
        tags: ['Console'],
        summary: 'Revoke a key',
        description: 'Answers 204. The key and its sessions end at once. Needs `If-Match` and the scope `admin`.',
      },
    },
  );
