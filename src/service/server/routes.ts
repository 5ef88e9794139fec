import { aboutRoute } from './about-route.ts';
import { batchRoute } from './check/batch-route.ts';
import { checkRoute } from './check/check-route.ts';
import { swaggerRoutes } from './docs/swagger.ts';
import { feedbackRoute } from './feedback/feedback-route.ts';
import { healthRoutes } from './health-routes.ts';
import { historyRoutes } from './history/history-routes.ts';
import { privateHistoryRoute } from './history/private-history-route.ts';
import { routesWith } from './http/routes-with.ts';
import { messageRoute } from './message/message-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { manualRoutes } from './page/manual-routes.ts';
import { pageRoute } from './page/page-routes.ts';
import { openSearchRoute, securityTxtRoute, shareRoute } from './page/site-routes.ts';
import { pictureRoute } from './pictures/picture-route.ts';
import { resultsRoutes, verifyRoute } from './results/results-routes.ts';

/** The routes that load with the server, but for the page's files. */
export const routes = routesWith<unknown>()
  .use(checkRoute)
  .use(batchRoute)
  .use(messageRoute)
  .use(historyRoutes)
  .use(privateHistoryRoute)
  .use(pictureRoute)
  .use(verifyRoute)
  .use(resultsRoutes)
  .use(feedbackRoute)
  .use(aboutRoute)
  .use(healthRoutes)
  .use(metricsRoute)
  .use(pageRoute)
  .use(shareRoute)
  .use(openSearchRoute)
  .use(securityTxtRoute)
  .use(manualRoutes)
  .use(swaggerRoutes);

/** Dependencies of these routes. */
export type RouteParts = (typeof routes)['decorator']['service'];
