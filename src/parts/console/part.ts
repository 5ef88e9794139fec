import type { PartRoutes } from '#src/app/parts/service.ts';
import { definePart } from '#src/parts/define-part.ts';

const CONSOLE_ROUTES = {
  heads: [
    'POST /api/session',
    'GET /api/session',
    'DELETE /api/session',
    'GET /api/admin/keys',
    'POST /api/admin/keys',
    'PATCH /api/admin/keys/:name',
    'DELETE /api/admin/keys/:name',
    'GET /api/admin/audit',
    'GET /api/admin/status',
    'GET /api/admin/settings',
    'GET /api/admin/nodes',
    'GET /api/admin/checks',
    'GET /api/admin/checks/:request_id',
    'GET /api/admin/activity',
    'GET /api/admin/live',
  ],
  load: async () => (await import('./console-routes.ts')).consoleRoutes,
} as const satisfies PartRoutes;

/** Sessions of operators, and what they read and change over HTTP. Its operations are those of the routes of other parts, too. */
export const consolePart = definePart({
  name: 'console',
  routes: [CONSOLE_ROUTES],
  provides: { openConsole: async () => (await import('./open-console.ts')).openConsole },
});
