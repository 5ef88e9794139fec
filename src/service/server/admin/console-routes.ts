import { routesWith } from '../http/routes-with.ts';
import { sessionRoutes } from '../session/session-route.ts';
import { auditRoute } from './audit-route.ts';
import { feedbackRoutes } from './feedback-routes.ts';
import { keyRoutes } from './keys-routes.ts';
import { listEntryRoutes } from './list-entry-routes.ts';
import { listRoutes } from './list-routes.ts';
import { operationRoutes } from './operation-routes.ts';

/** Sessions, and what the operator administers. */
export const consoleRoutes = routesWith<unknown>()
  .use(sessionRoutes)
  .use(keyRoutes)
  .use(auditRoute)
  .use(listRoutes)
  .use(listEntryRoutes)
  .use(feedbackRoutes)
  .use(operationRoutes);
