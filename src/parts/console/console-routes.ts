import { routesWith } from '#src/service/server/http/routes-with.ts';
import type { RouteParts } from '#src/service/server/routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditRoute } from './audit-route.ts';
import { backupRoutes } from './backup-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { gateRoutes } from './gate-route.ts';
import { keyRoutes } from './keys-routes.ts';
import { listEntryRoutes } from './list-entry-routes.ts';
import { listRoutes } from './list-routes.ts';
import { sessionRoutes } from './session-route.ts';
import { nodeRoute, settingsRoute, statusRoute } from './status-routes.ts';

/** Sessions, and what the operator administers. */
export const consoleRoutes = routesWith<unknown>()
  .use(sessionRoutes)
  .use(keyRoutes)
  .use(auditRoute)
  .use(listRoutes)
  .use(listEntryRoutes)
  .use(statusRoute)
  .use(settingsRoute)
  .use(backupRoutes)
  .use(nodeRoute)
  .use(gateRoutes)
  .use(checkRoutes)
  .use(activityRoutes);

type ConsoleRouteParts = (typeof consoleRoutes)['decorator']['service'];

/** Dependencies of these routes, beside those that a server gives all routes. */
export type ConsoleOperations = Omit<ConsoleRouteParts, keyof RouteParts>;
