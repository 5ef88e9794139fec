import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';

const LIST_ROUTES = {
  heads: [
    'POST /api/admin/lists/test',
    'POST /api/admin/lists/:name/entries',
    'DELETE /api/admin/lists/:name/entries',
    'POST /api/admin/lists/:name/removals',
    'GET /api/admin/lists',
    'POST /api/admin/lists',
    'GET /api/admin/list-entries',
    'GET /api/admin/lists/:name',
    'PUT /api/admin/lists/:name',
    'DELETE /api/admin/lists/:name',
    'GET /api/admin/lists/:name/versions',
    'POST /api/admin/lists/:name/rollback',
    'POST /api/admin/list-sources/renew',
  ],
  load: async () => (await import('./routes/list-routes.ts')).listRoutes,
} as const satisfies PartRoutes;

/** Lists that an operator manages: imported, changed, previewed, and followed at their sources. */
export const listsPart = definePart({
  name: 'lists',
  conditions: ['list_source_failed'],
  commands: { lists: async () => (await import('./command/lists.ts')).listsCommand },
  routes: [LIST_ROUTES],
  provides: { followListSources: async () => (await import('./follow-list-sources.ts')).followListSources },
});
