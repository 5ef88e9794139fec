import { batchRoute } from './check/batch-route.ts';
import { checkRoute } from './check/check-route.ts';
import { feedbackRoute } from './feedback/feedback-route.ts';
import { healthRoutes } from './health-routes.ts';
import { historyRoutes } from './history/history-routes.ts';
import { routesWith } from './http/routes-with.ts';
import type { LateRoutes } from './late-routes.ts';
import { pageRoute } from './page/page-routes.ts';
import { pictureRoute } from './pictures/picture-route.ts';
import type { rareRoutes } from './rare-routes.ts';

/** The routes that load with the server, but for the page's files. */
export const routes = routesWith<unknown>()
  .use(checkRoute)
  .use(batchRoute)
  .use(historyRoutes)
  .use(pictureRoute)
  .use(feedbackRoute)
  .use(healthRoutes)
  .use(pageRoute);

/** The other routes of a server without parts. */
export const RARE_ROUTES = {
  heads: [
    'POST /api/check-message',
    'GET /api/history/private',
    'POST /api/verify-result',
    'POST /api/results/verify',
    'POST /api/results/sign',
    'GET /api/about',
    'GET /metrics',
    'POST /share',
    'GET /opensearch.xml',
    'GET /.well-known/security.txt',
    'GET /help',
    'GET /help/:part',
    'GET /swagger',
    'GET /swagger/json',
    'GET /openapi.json',
    'GET /swagger/start.js',
    'GET /swagger/swagger-ui-bundle.js',
    'GET /swagger/swagger-ui.css',
  ],
  load: async () => (await import('./rare-routes.ts')).rareRoutes,
} as const satisfies LateRoutes;

/** Dependencies of these routes. */
export type RouteParts = (typeof routes)['decorator']['service'] & (typeof rareRoutes)['decorator']['service'];
