import { Elysia } from 'elysia';
import { type AboutRouteParts, aboutRoute } from './about-route.ts';
import { type BatchRouteParts, batchRoute } from './check/batch-route.ts';
import { checkRoute } from './check/check-route.ts';
import { type SwaggerRouteParts, swaggerRoutes } from './docs/swagger.ts';
import { type FeedbackRouteParts, feedbackRoute } from './feedback/feedback-route.ts';
import { type HealthRouteParts, healthRoutes } from './health-routes.ts';
import { type HistoryRouteParts, historyRoutes } from './history/history-routes.ts';
import { type PrivateHistoryParts, privateHistoryRoute } from './history/private-history-route.ts';
import { createParameterGuard, type ListedRoute } from './http/known-parameters.ts';
import { type MetricsRouteParts, metricsRoute } from './metrics-route.ts';
import { manualRoutes } from './page/manual-routes.ts';
import { type OpenSearchRouteParts, openSearchRoute } from './page/opensearch-route.ts';
import { type PageRouteParts, pageRoutes } from './page/page-routes.ts';
import { type SecurityTxtRouteParts, securityTxtRoute } from './page/security-txt-route.ts';
import { type ShareRouteParts, shareRoute } from './page/share-route.ts';
import { type ResultsRoutesParts, resultsRoutes } from './results/results-routes.ts';
import { verifyRoute } from './results/verify-route.ts';

/** What all routes together work with. */
export interface RouteParts
  extends BatchRouteParts,
    HistoryRouteParts,
    PrivateHistoryParts,
    FeedbackRouteParts,
    AboutRouteParts,
    ResultsRoutesParts,
    HealthRouteParts,
    PageRouteParts,
    ShareRouteParts,
    OpenSearchRouteParts,
    SecurityTxtRouteParts,
    MetricsRouteParts,
    SwaggerRouteParts {}

/** Every route, with what it takes and answers: the OpenAPI document and the types of a client follow from it. */
export function createRoutes(parts: RouteParts) {
  let listed: readonly ListedRoute[] = [];
  const routes = new Elysia({ normalize: false })
    .onTransform(createParameterGuard(() => listed))
    .use(checkRoute(parts))
    .use(batchRoute(parts))
    .use(historyRoutes(parts))
    .use(privateHistoryRoute(parts))
    .use(verifyRoute(parts))
    .use(resultsRoutes(parts))
    .use(feedbackRoute(parts))
    .use(aboutRoute(parts))
    .use(healthRoutes(parts))
    .use(metricsRoute(parts))
    .use(pageRoutes(parts))
    .use(shareRoute(parts))
    .use(openSearchRoute(parts))
    .use(securityTxtRoute(parts))
    .use(manualRoutes(parts))
    .use(swaggerRoutes(parts));
  listed = routes.routes;
  return routes;
}
