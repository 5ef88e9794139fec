import { aboutRoute } from './about-route.ts';
import { swaggerRoutes } from './docs/swagger.ts';
import { privateHistoryRoute } from './history/private-history-route.ts';
import { routesWith } from './http/routes-with.ts';
import { messageRoute } from './message/message-route.ts';
import { metricsRoute } from './metrics-route.ts';
import { manualRoutes } from './page/manual-routes.ts';
import { openSearchRoute, securityTxtRoute, shareRoute } from './page/site-routes.ts';
import { resultsRoutes, verifyRoute } from './results/results-routes.ts';

/** The routes of `RARE_ROUTES`. */
export const rareRoutes = routesWith<unknown>()
  .use(messageRoute)
  .use(privateHistoryRoute)
  .use(verifyRoute)
  .use(resultsRoutes)
  .use(aboutRoute)
  .use(metricsRoute)
  .use(shareRoute)
  .use(openSearchRoute)
  .use(securityTxtRoute)
  .use(manualRoutes)
  .use(swaggerRoutes);
