import { answer } from '../http/answer.ts';
import { noBody } from '../http/json-body.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { viewRoute } from './act-route.ts';
import { SourcesSchema, type Status, StatusSchema } from './answers/status-answer.ts';
import { CONSOLE_REFUSALS, refusing, waitLong } from './change-parts.ts';
import { admitScopes, type SignedInParts } from './requester.ts';

const EXAMPLE: Status = {
  health: {
    state: 'degraded',
    notices: [{ code: 'model_old', text: 'The model is 400 days old.', remedy: 'Upgrade lurecheck.' }],
  },
  conditions: [
    {
      ...{ code: 'model_old', severity: 'warning', since: '2026-01-31T08:01:00.000Z', args: { days: 400 } },
      ...{ message: 'The model is 400 days old.', remedy: 'Upgrade lurecheck.' },
    },
  ],
  list_sources: [
    {
      ...{ name: 'feed', tried_at: '2026-01-31T12:00:00.000Z', renewed_at: '2026-01-31T12:00:00.000Z' },
      ...{ next_at: '2026-01-31T13:00:00.000Z', problem: null },
    },
  ],
  version: '1.0.0',
  started_at: '2026-01-31T08:00:00.000Z',
  checks: {
    today: 3,
    by_decision: { allow: 1, warn: 1, block: 1 },
    by_coverage: { full: 2, partial: 0, url_only: 1 },
  },
  storage: { bytes: 12_000_000, free_bytes: 90_000_000_000, retention: { days: 90, bytes: 2_000_000_000, rows: null } },
  model: { version: 'lurecheck-2-1b2c3d4e', published_at: '2026-01-01' },
  lists: [{ name: 'feed', entries: 1200, updated_at: '2026-01-30T04:00:00.000Z' }],
  packs: [{ name: 'acme-bank', version: 7, publisher: 'Acme', expires_at: '2026-12-31T23:59:59.999Z' }],
  nodes: null,
  last_backup: { created_at: '2026-01-31T03:00:00.000Z', name: 'lurecheck-20260131T030000Z.backup' },
  feedback_waiting: 2,
  checklist: [{ code: 'own_brand', done: true }],
};

const SOURCE_EXAMPLE: Status['list_sources'][number] = {
  ...{ name: 'feed', tried_at: '2026-01-31T12:00:00.000Z', renewed_at: '2026-01-30T04:00:00.000Z' },
  ...{ next_at: '2026-01-31T12:10:00.000Z', problem: 'its file does not exist' },
};

export interface StatusRouteParts extends SignedInParts {
  readonly status: () => Promise<Status>;
  /** Tries all list sources at once; returns their states. */
  readonly renewSources: () => Promise<Status['list_sources']>;
}

/** `GET /api/admin/status` and `POST /api/admin/list-sources/renew`: health, checks, storage and what is active, for the first screen. */
export const statusRoute = routesWith<StatusRouteParts>()
  .get(
    '/api/admin/status',
    ({ service }) => refusing(service.status),
    viewRoute(['admin', 'lists', 'feedback', 'history'], {
      id: 'readStatus',
      summary: 'Read the status of the service',
      description:
        'Health in words, checks of today, storage, what is active and how old it is, and the steps of a first ' +
        'installation. Scope: `admin`, `lists`, `feedback` or `history`.',
      answers: {
        200: answer(StatusSchema, { description: 'The status.', example: EXAMPLE }),
      },
      refuses: ['conflict', 'log_unavailable'],
    }),
  )
  .post('/api/admin/list-sources/renew', async ({ service }) => ({ items: await service.renewSources() }), {
    parse: [admitScopes('lists'), noBody],
    beforeHandle: waitLong,
    response: {
      200: answer(SourcesSchema, {
        description: 'The sources after the attempt.',
        example: { items: [SOURCE_EXAMPLE] },
      }),
      ...refusals(...CONSOLE_REFUSALS, 'invalid_body'),
    },
    detail: {
      operationId: 'renewListSources',
      tags: ['Console'],
      summary: 'Try the list sources again',
      description:
        'Fetches and imports all scheduled list sources now, as SIGHUP does, and answers how each ended. ' +
        'Scope: `admin` or `lists`.',
    },
  });
