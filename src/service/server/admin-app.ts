import type { PeerOf } from '#src/core/base/addresses/client-address.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { healthRoutes, type Readiness } from './health-routes.ts';
import { createProblemOf } from './http/faults.ts';
import { createArrivals, createHttpApp } from './http/http-app.ts';
import { createMisdirectedLog } from './http/misdirected.ts';
import { createOwnHosts } from './http/request-site.ts';
import { routesWith } from './http/routes-with.ts';
import { createUnrouted } from './http/unrouted.ts';
import { type MetricsParts, metricsRoute } from './metrics-route.ts';

/** Dependencies of the operator's listener. */
export interface AdminParts {
  readonly metrics: MetricsParts;
  readonly readiness: () => Promise<Readiness>;
  readonly peerOf: PeerOf;
  /** The names of this machine, lower case. */
  readonly machineNames: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

const routes = routesWith<unknown>().use(metricsRoute).use(healthRoutes);

/** Creates the server of the operator's listener: `GET /metrics` and health. Serve it on an internal address. */
export function createAdminServer({ metrics, readiness, peerOf, machineNames, clock, logger }: AdminParts) {
  const arrivalOf = createArrivals(clock);
  const isOwnHost = createOwnHosts({ host: [], trusted_proxy: [] }, machineNames, peerOf);
  const service: (typeof routes)['decorator']['service'] = {
    metrics: () => Promise.resolve(metrics),
    // Every client of this listener is the operator.
    readMetrics: () => undefined,
    readiness,
    arrivalOf,
    isOwnHost,
  };
  const parts = {
    isSecure: false,
    isOwnHost,
    arrivalOf,
    problemOf: createProblemOf(logger),
    onMisdirected: createMisdirectedLog(logger, clock),
    onAnswered: () => null,
  };
  return createHttpApp(parts, createUnrouted(routes.routes)).decorate('service', service).use(routes);
}
