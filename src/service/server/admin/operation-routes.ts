import { routesWith } from '../http/routes-with.ts';
import { backupRoutes } from './backup-routes.ts';
import { brandRoutes } from './brand-routes.ts';
import { gateRoute } from './gate-route.ts';
import { modelRoutes } from './model-routes.ts';
import { nodeRoute } from './node-route.ts';
import { packRoutes } from './pack-routes.ts';
import { settingsRoute } from './settings-route.ts';
import { statusRoute } from './status-route.ts';

/** The routes of the console on what a service is and has: status, settings, models, packs, brands, backups, nodes and gate. */
export const operationRoutes = routesWith<unknown>()
  .use(statusRoute)
  .use(settingsRoute)
  .use(modelRoutes)
  .use(packRoutes)
  .use(brandRoutes)
  .use(backupRoutes)
  .use(nodeRoute)
  .use(gateRoute);
