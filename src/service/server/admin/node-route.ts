import { answer } from '../http/answer.ts';
import { refusals } from '../http/refusals.ts';
import { routesWith } from '../http/routes-with.ts';
import { type NodeRow, NodesSchema } from './answers/console-answers.ts';
import { CONSOLE_REFUSALS, refusing } from './change-parts.ts';
import { admitScopes, type SignedInParts } from './requester.ts';

/** Operations on the nodes of a fleet. */
export interface NodeOperations {
  /** Empty without a database. Throws StoreError if no database can be read. */
  list(): Promise<readonly (Omit<NodeRow, 'differs'> & { readonly differs: readonly string[] })[]>;
}

export interface NodeRouteParts extends SignedInParts {
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
