import { Elysia } from 'elysia';
import { DOCS } from './docs/docs.ts';
import type { ListeningServer, Operation } from './http/exchange.ts';

/** What each route of the API does. */
export type Operations = Readonly<Record<keyof typeof DOCS, Operation>>;

/** Answers a request by an operation. */
export type Run = (operation: Operation, request: Request, server: ListeningServer | null) => Promise<Response>;

/** The routes of the API under `basePath`, with what the OpenAPI document says of each. */
export function apiRoutes(basePath: string, run: Run, operations: Operations) {
  const { checkUrl, history, stats, livez, readyz } = operations;
  return new Elysia({ prefix: basePath })
    .post('/api/check-url', ({ request, server }) => run(checkUrl, request, server), { detail: DOCS.checkUrl })
    .get('/api/history', ({ request, server }) => run(history, request, server), { detail: DOCS.history })
    .get('/api/stats', ({ request, server }) => run(stats, request, server), { detail: DOCS.stats })
    .get('/livez', ({ request, server }) => run(livez, request, server), { detail: DOCS.livez })
    .get('/readyz', ({ request, server }) => run(readyz, request, server), { detail: DOCS.readyz });
}
