import type { ListRouteParts } from '#src/parts/lists/routes/list-changes.ts';
import type { GateRouteParts } from '#src/parts/proxy/gate-routes.ts';
import type { ActRunner } from '#src/service/server/admin/act-route.ts';
import { routesWith } from '#src/service/server/http/routes-with.ts';
import type { RouteParts } from '#src/service/server/routes.ts';
import { activityRoutes } from './activity-routes.ts';
import { auditRoute } from './audit-route.ts';
import { checkRoutes } from './check-routes.ts';
import type { ConsolePlace } from './console-place.ts';
import { keyRoutes } from './keys-routes.ts';
import { sessionRoutes } from './session-route.ts';
import { nodeRoute, settingsRoute, statusRoute } from './status-routes.ts';

/** Sessions, and what the operator administers. */
export const consoleRoutes = routesWith<unknown>()
  .use(sessionRoutes)
  .use(keyRoutes)
  .use(auditRoute)
  .use(statusRoute)
  .use(settingsRoute)
  .use(nodeRoute)
  .use(checkRoutes)
  .use(activityRoutes);

type ConsoleRouteParts = (typeof consoleRoutes)['decorator']['service'];

/** Dependencies of these routes and of the operator's routes of other parts, beside those that a server gives all routes. */
export interface ConsoleOperations extends Omit<ConsoleRouteParts, keyof RouteParts> {
  readonly acts: ActRunner<ConsolePlace>;
  readonly lists: ListRouteParts['lists'];
  readonly renewSources: ListRouteParts['renewSources'];
  readonly gate: GateRouteParts['gate'];
}
