import { Elysia } from 'elysia';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { healthRoutes, type Readiness } from './health-routes.ts';
import { createArrivals } from './http/arrivals.ts';
import { createProblemOf } from './http/faults.ts';
import { createHttpApp } from './http/http-app.ts';
import { createMisdirectedLog } from './http/misdirected.ts';
import { createOwnHosts, ownHostGuard } from './http/request-site.ts';
import { createUnrouted } from './http/unrouted.ts';
import type { PeerOf } from '#src/core/base/addresses/peer.ts';
import { type MetricsParts, metricsRoute } from './metrics-route.ts';

/** What the operator's own listener serves. */
export interface AdminParts {
  readonly metrics: MetricsParts;
  readonly readiness: () => Promise<Readiness>;
  readonly peerOf: PeerOf;
  /** The names of this machine, lower case. */
  readonly machineNames: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is for the operator alone: `GET /metrics`, and the service's health. To be served where nobody else gets to. */
export function createAdminServer({ metrics, readiness, peerOf, machineNames, clock, logger }: AdminParts) {
  const arrivalOf = createArrivals(clock);
  const isOwnHost = createOwnHosts({ host: [], trusted_proxy: [] }, machineNames, peerOf);
  const readMetrics = ownHostGuard(isOwnHost);
  const routes = new Elysia({ normalize: false })
    .use(metricsRoute({ metrics: () => Promise.resolve(metrics), readMetrics }))
    .use(healthRoutes({ readiness, arrivalOf }));
  const parts = {
    isSecure: false,
    isOwnHost,
    arrivalOf,
    problemOf: createProblemOf(logger),
    onMisdirected: createMisdirectedLog(logger, clock),
    onAnswered: () => null,
  };
  return createHttpApp(parts, createUnrouted(routes.routes)).use(routes);
}
