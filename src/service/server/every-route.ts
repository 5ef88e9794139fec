import { consoleRoutes } from './admin/console-routes.ts';
import { routesWith } from './http/routes-with.ts';
import { routes } from './routes.ts';

/** Every route but those of the page's files: the OpenAPI document and the types of a client follow from it. */
export const everyRoute = routesWith<unknown>().use(routes).use(consoleRoutes);
