import { Type } from '@sinclair/typebox';
import type { PreviewedVerdicts } from '#src/admin/lists/preview-change.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { answer } from '../http/answer.ts';
import { MAX_UPLOAD_BYTES } from '../http/http-app.ts';
import { noBody } from '../http/json-body.ts';
import { type Problem, ProblemError, refuse } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { CHANGE_REFUSALS, CONSOLE_REFUSALS } from './admin-refusals.ts';
import type { ShownPacks } from './answers/pack-answer.ts';
import { PacksSchema } from './answers/pack-answer.ts';
import { PreviewedChangeSchema } from './answers/preview-answer.ts';
import { type ChangeParts, PreviewQuerySchema, refusing, waitLong } from './change-parts.ts';
import { etagOf, requireMatch } from './if-match.ts';
import { actorOf, admitScopes } from './requester.ts';
import { PREVIEWED_CHANGE, previewOf } from './verdict-preview.ts';

const PACKS = {
  active: [
    {
      ...{
        name: 'acme-bank',
        version: 7,
        publisher: 'Acme',
        fingerprint: '3f9a0c',
        expires: '2026-12-31T23:59:59.999Z',
      },
      ...{ problem: null, in_force: true, expired: false, revoked: false },
    },
  ],
  available: [],
  publishers: [
    { name: 'Acme', fingerprint: '3f9a0c', since: '2026-01-01T00:00:00.000Z', revoked: null, follows: null },
  ],
  etag: '"m4yFQxq0H0bU2k3z1vXk5g"',
};

export const InstalledSchema = Type.Object(
  {
    name: Type.String({ description: 'Name of the pack' }),
    version: Type.Integer({ description: 'Its version' }),
  },
  { $id: 'PackInstalled', description: 'The pack that is active now' },
);

/** Operations on packs. Their errors are those of `lurecheck pack`. */
export interface PackOperations {
  list(): Promise<{
    readonly packs: ShownPacks['active'];
    readonly publishers: readonly {
      readonly name: string;
      readonly fingerprint: string;
      readonly since: string;
      readonly revoked: string | null;
      readonly follows: string | null;
    }[];
  }>;
  /** Returns the active and earlier packs, which determine the entity tag. */
  state(): Promise<object>;
  preview(body: AsyncIterable<Uint8Array>): Promise<PreviewedVerdicts>;
  install(by: Actor, body: AsyncIterable<Uint8Array>): Promise<{ name: string; version: number }>;
  /** Null if there is nothing to roll back. */
  previewRollBack(): Promise<PreviewedVerdicts | null>;
  rollBack(by: Actor): Promise<readonly object[] | null>;
}

export interface PackRouteParts extends ChangeParts {
  readonly packs: PackOperations;
}

const admitAdmin = admitScopes('admin');

const TOO_LARGE: Problem = {
  code: 'body_too_large',
  detail: `A pack must be at most ${MAX_UPLOAD_BYTES} bytes long here. Install a larger one by lurecheck pack install.`,
};

/** The body is read by the handler, so that it does not lie in memory. */
function requireBytes({ request: { headers } }: { readonly request: Request }): object {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const isPlain = type === 'application/octet-stream' && !headers.has('content-encoding');
  const detail = 'Send the pack as it is, with the header Content-Type: application/octet-stream.';
  refuse(isPlain ? null : { code: 'unsupported_media_type', detail });
  refuse(Number(headers.get('content-length') ?? 0) > MAX_UPLOAD_BYTES ? TOO_LARGE : null);
  return {};
}

async function* boundedBody({ body }: Request): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_UPLOAD_BYTES) throw new ProblemError(TOO_LARGE);
    yield chunk;
  }
}

async function listed(packs: PackOperations) {
  const { packs: rows, publishers } = await packs.list();
  return {
    active: rows.filter((row) => row.in_force),
    available: rows.filter((row) => !row.in_force),
    publishers: publishers.map(({ name, fingerprint, since, revoked, follows }) => ({
      ...{ name, fingerprint, since, revoked, follows },
    })),
    etag: etagOf(await packs.state()),
  };
}

const NOTHING_BEFORE: Problem = { code: 'conflict', detail: 'There is nothing to roll back.' };

const found = <T>(value: T | null): T => {
  if (value === null) throw new ProblemError(NOTHING_BEFORE);
  return value;
};

/** `/api/admin/packs`: list, install, roll back. */
export const packRoutes = routesWith<PackRouteParts>()
  .get('/api/admin/packs', ({ service }) => refusing(() => listed(service.packs)), {
    transform: admitAdmin,
    response: {
      200: answer(PacksSchema, { description: 'The packs.', example: PACKS }),
      ...refusals(...CONSOLE_REFUSALS, 'conflict'),
    },
    detail: {
      operationId: 'listPacks',
      tags: ['Console'],
      summary: 'List the packs',
      description: 'Active packs, those that a rollback can activate, and trusted publishers. Scope: `admin`.',
    },
  })
  .post(
    '/api/admin/packs',
    ({ query: { preview }, request, set, service: { packs, inTurn } }) =>
      refusing(async () => {
        if (preview === 'true') return previewOf(await packs.preview(boundedBody(request)));
        const installed = await inTurn(() => packs.install(actorOf(request), boundedBody(request)));
        set.status = 201;
        return installed;
      }),
    {
      parse: [admitAdmin, requireBytes],
      transform: readQuery,
      beforeHandle: waitLong,
      query: PreviewQuerySchema,
      response: {
        200: answer(PreviewedChangeSchema, {
          description: 'With `preview=true`: the effect; nothing was changed.',
          example: PREVIEWED_CHANGE,
        }),
        201: answer(InstalledSchema, {
          description: 'The pack is active.',
          example: { name: 'acme-bank', version: 7 },
        }),
        ...refusals(
          ...(['invalid_body', 'body_too_large', 'unsupported_media_type', 'conflict'] as const),
          ...CONSOLE_REFUSALS,
        ),
      },
      detail: {
        operationId: 'installPack',
        tags: ['Console'],
        summary: 'Install a pack',
        description:
          'The body is the pack as `application/octet-stream`, at most 64 MiB. `preview=true` verifies it, scores the latest ' +
          'public checks again and changes nothing. 400 for a file that is no sound pack; 409 for one that is not trusted, ' +
          'has expired, is older than the active one, or conflicts with others. Scope: `admin`.',
      },
    },
  )
  .post(
    '/api/admin/packs/rollback',
    ({ query: { preview }, request, service: { packs, inTurn } }) =>
      refusing(async () => {
        if (preview === 'true') return previewOf(found(await packs.previewRollBack()));
        return await inTurn(async () => {
          requireMatch(request, etagOf(await packs.state()));
          found(await packs.rollBack(actorOf(request)));
          return await listed(packs);
        });
      }),
    {
      parse: [admitAdmin, noBody],
      transform: readQuery,
      beforeHandle: waitLong,
      query: PreviewQuerySchema,
      response: {
        200: answer(Type.Union([PacksSchema, PreviewedChangeSchema]), {
          description: 'The packs after the change; with `preview=true` the effect.',
          example: PACKS,
        }),
        ...refusals(...CHANGE_REFUSALS),
      },
      detail: {
        operationId: 'rollBackPacks',
        tags: ['Console'],
        summary: 'Roll the packs back',
        description:
          'Makes the packs active that were before the last change. Requires `If-Match` with the `etag` of the list, but not ' +
          'with `preview=true`, which scores the latest public checks again with model, thresholds and brands of these packs, ' +
          'but with the lists as they are. Scope: `admin`.',
      },
    },
  );
