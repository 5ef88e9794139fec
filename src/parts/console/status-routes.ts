import { viewRoute } from '#src/service/server/admin/act-route.ts';
import { CONSOLE_REFUSALS, refusing } from '#src/service/server/admin/change-parts.ts';
import { admitScopes, type SignedInParts } from '#src/service/server/admin/requester.ts';
import { answer } from '#src/service/server/http/answer.ts';
import { refusals } from '#src/service/server/http/refusals.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import { type ActiveSetting, ActiveSettingsSchema, type NodeRow, NodesSchema } from './answers/console-answers.ts';
import { type Status, StatusSchema } from './answers/status-answer.ts';

interface SettingsRouteParts extends SignedInParts {
  readonly activeSettings: () => ActiveSetting[];
}

/** `GET /api/admin/settings`: the active settings, without passwords. */
export const settingsRoute = routesWith<SettingsRouteParts>().get(
  '/api/admin/settings',
  ({ service }) => ({ items: service.activeSettings() }),
  viewRoute(['admin'], {
    id: 'listSettings',
    summary: 'List the active settings',
    description: 'Values and sources, as `lurecheck config show`. Scope: `admin`.',
    answers: {
      200: answer(ActiveSettingsSchema, {
        description: 'The settings.',
        example: {
          items: [
            {
              ...{ name: 'rate_limit', description: 'Checks that a client may make per minute.', common: true },
              ...{ value: 20, source: 'default', reloadable: true },
            },
          ],
        },
      }),
    },
    refuses: [],
  }),
);

/** Operations on the nodes of a fleet. */
export interface NodeOperations {
  /** Empty without a database. Throws UnavailableError if no database can be read. */
  list(): Promise<readonly (Omit<NodeRow, 'differs'> & { readonly differs: readonly string[] })[]>;
}

interface NodeRouteParts extends SignedInParts {
  readonly nodes: NodeOperations;
}

/** `GET /api/admin/nodes`: the nodes of a fleet. */
export const nodeRoute = routesWith<NodeRouteParts>().get(
  '/api/admin/nodes',
  ({ service: { nodes } }) =>
    refusing(async () => ({ items: (await nodes.list()).map((one) => ({ ...one, differs: [...one.differs] })) })),
  {
    transform: admitScopes('admin'),
    response: {
      200: answer(NodesSchema, {
        description: 'The nodes.',
        example: {
          items: [
            {
              ...{ name: 'node-1', version: '1.0.0', model_version: 'lurecheck-2-1b2c3d4e', lists_version: '' },
              ...{ started_at: '2026-01-01T00:00:00.000Z', seen_at: '2026-01-31T12:00:00.000Z', ahead_seconds: 0.002 },
              ...{ waiting: 0, set_aside: 0, prints: { settings: '3f9a0c' }, is_alive: true, differs: [] },
            },
          ],
        },
      }),
      ...refusals(...CONSOLE_REFUSALS, 'conflict', 'log_unavailable'),
    },
    detail: {
      operationId: 'listNodes',
      tags: ['Console'],
      summary: 'List the nodes',
      description: 'The nodes that share the databases, as `lurecheck nodes`. Scope: `admin`.',
    },
  },
);

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

export interface StatusRouteParts extends SignedInParts {
  readonly status: () => Promise<Status>;
}

/** `GET /api/admin/status`: health, checks, storage and what is active, for the first screen. */
export const statusRoute = routesWith<StatusRouteParts>().get(
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
);
