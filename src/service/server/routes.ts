import { aboutRoute } from './about-route.ts';
import { consoleRoutes } from './admin/console-routes.ts';
import { batchRoute } from './check/batch-route.ts';
import { checkRoute } from './check/check-route.ts';
import { swaggerRoutes } from './docs/swagger.ts';
import { feedbackRoute } from './feedback/feedback-route.ts';
import { feedRoute } from './feeds/feed-route.ts';
import { healthRoutes } from './health-routes.ts';
import { historyRoutes } from './history/history-routes.ts';
import { privateHistoryRoute } from './history/private-history-route.ts';
import { createParameterGuard, type ListedRoute } from './http/known-parameters.ts';
import { routesWith } from './http/routes-with.ts';
import { messageRoute } from './message/message-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { mispRoutes } from './misp/misp-routes.ts';
import { manualRoutes } from './page/manual-routes.ts';
import { openSearchRoute } from './page/opensearch-route.ts';
import { pageRoute } from './page/page-routes.ts';
import { securityTxtRoute } from './page/security-txt-route.ts';
import { shareRoute } from './page/share-route.ts';
import { pictureRoute } from './pictures/picture-route.ts';
import { resultsRoutes } from './results/results-routes.ts';
import { verifyRoute } from './results/verify-route.ts';

/** A declaration, since the guards are made before the routes are. */
function listed(): readonly ListedRoute[] {
  return routes.routes;
}

/** Every route but those of the page's files: the OpenAPI document and the types of a client follow from it. */
export const routes = routesWith<unknown>()
  .onTransform(createParameterGuard(listed))
  .onBeforeHandle(createParameterGuard(listed, true))
  .use(checkRoute)
  .use(batchRoute)
  .use(messageRoute)
  .use(historyRoutes)
  .use(privateHistoryRoute)
  .use(pictureRoute)
  .use(consoleRoutes)
  .use(verifyRoute)
  .use(resultsRoutes)
  .use(feedbackRoute)
  .use(feedRoute)
  .use(mispRoutes)
  .use(aboutRoute)
  .use(healthRoutes)
  .use(metricsRoute)
  .use(pageRoute)
  .use(shareRoute)
  .use(openSearchRoute)
  .use(securityTxtRoute)
  .use(manualRoutes)
  .use(swaggerRoutes);

/** Dependencies of all routes. */
export type RouteParts = (typeof routes)['decorator']['service'];
