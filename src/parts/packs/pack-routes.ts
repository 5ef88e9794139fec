import { Type } from '@sinclair/typebox';
import { readPackState } from '#src/admin/active/pack-state.ts';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import type { ActPlace } from '#src/admin/audit/act.ts';
import { PREVIEWED, previewOf } from '#src/parts/lists/preview-lists.ts';
import { INSTALL_PACK, ROLL_BACK_PACKS } from '#src/parts/packs/updates/pack-acts.ts';
import { type ActParts, actRoute, etagOf, performed, viewRoute } from '#src/service/server/admin/act-route.ts';
import { CHANGE_REFUSALS, PreviewQuerySchema, refusing } from '#src/service/server/admin/change-parts.ts';
import { PacksSchema } from '#src/service/server/admin/operator-answers.ts';
import { PreviewedChangeSchema } from '#src/service/server/admin/preview-answer.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { MAX_UPLOAD_BYTES } from '#src/service/server/http/http-app.ts';
import { type Problem, ProblemError, refuse } from '#src/service/server/http/problem.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';

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

type PackParts = ActParts<ActPlace & PreviewView>;

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

/** The tag of the active packs and those before. */
function packsTag({ acts }: PackParts): string {
  const { active, before } = readPackState(acts.place.dataDir);
  return etagOf({ active, before });
}

async function listed(service: PackParts) {
  const { listPacks, packRow } = await import('#src/parts/packs/updates/list-packs.ts');
  const { dataDir } = service.acts.place;
  const { publishers } = readPackState(dataDir);
  const rows = (await listPacks(dataDir)).map(packRow);
  return {
    active: rows.filter((row) => row.in_force),
    available: rows.filter((row) => !row.in_force),
    publishers: publishers.map(({ name, fingerprint, since, revoked, follows }) => ({
      ...{ name, fingerprint, since, revoked, follows },
    })),
    etag: packsTag(service),
  };
}

/** `/api/admin/packs`: list, install, roll back. */
export const packRoutes = routesWith<PackParts>()
  .get(
    '/api/admin/packs',
    ({ service }) => refusing(() => listed(service)),
    viewRoute(['admin'], {
      id: 'listPacks',
      summary: 'List the packs',
      description: 'Active packs, those that a rollback can activate, and trusted publishers. Scope: `admin`.',
      answers: {
        200: answer(PacksSchema, { description: 'The packs.', example: PACKS }),
      },
      refuses: ['conflict'],
    }),
  )
  .post(
    '/api/admin/packs',
    ({ query: { preview }, request, set, service }) =>
      performed({ request, service, preview }, INSTALL_PACK, {
        input: { file: boundedBody(request), mayBeOlder: false },
        effect: previewOf,
        async make({ isActive, installed: { name, version } }, commit) {
          if (!isActive) await commit();
          return { name, version };
        },
        answer(installed) {
          set.status = 201;
          return installed;
        },
      }),
    actRoute(INSTALL_PACK, {
      id: 'installPack',
      summary: 'Install a pack',
      description:
        'The body is the pack as `application/octet-stream`, at most 64 MiB. `preview=true` verifies it, scores the latest ' +
        'public checks again and changes nothing. 400 for a file that is no sound pack; 409 for one that is not trusted, ' +
        'has expired, is older than the active one, or conflicts with others. Scope: `admin`.',
      parse: requireBytes,
      query: PreviewQuerySchema,
      answers: {
        200: answer(PreviewedChangeSchema, PREVIEWED),
        201: answer(InstalledSchema, {
          description: 'The pack is active.',
          example: { name: 'acme-bank', version: 7 },
        }),
      },
      refuses: ['invalid_body', 'body_too_large', 'unsupported_media_type', 'conflict'],
    }),
  )
  .post(
    '/api/admin/packs/rollback',
    ({ query: { preview }, request, service }) =>
      performed({ request, service, preview }, ROLL_BACK_PACKS, {
        input: null,
        current: async () => packsTag(service),
        effect: previewOf,
        answer: () => listed(service),
      }),
    actRoute(ROLL_BACK_PACKS, {
      id: 'rollBackPacks',
      summary: 'Roll the packs back',
      description:
        'Makes the packs active that were before the last change. Requires `If-Match` with the `etag` of the list, but not ' +
        'with `preview=true`, which scores the latest public checks again with model, thresholds and brands of these packs, ' +
        'but with the lists as they are. Scope: `admin`.',
      query: PreviewQuerySchema,
      answers: {
        200: answer(Type.Union([PacksSchema, PreviewedChangeSchema]), {
          description: 'The packs after the change; with `preview=true` the effect.',
          example: PACKS,
        }),
      },
      refuses: CHANGE_REFUSALS,
    }),
  );
