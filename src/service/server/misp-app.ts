import type { ServerParts } from './app.ts';
import { healthRoutes } from './health-routes.ts';
import { createArrivals } from './http/arrivals.ts';
import { createProblemOf } from './http/faults.ts';
import { createHttpApp } from './http/http-app.ts';
import { createMisdirectedLog } from './http/misdirected.ts';
import { createOwnHosts } from './http/request-site.ts';
import { routesWith } from './http/routes-with.ts';
import { silenceSecondsOf } from './http/silence.ts';
import { createUnrouted } from './http/unrouted.ts';
import { createQuota } from './limiter/quota.ts';
import { mispRoutes } from './misp/misp-routes.ts';

/** Dependencies of a listener for MISP. */
export type MispAppParts = Pick<
  ServerParts,
  | 'settings'
  | 'limits'
  | 'peerOf'
  | 'keys'
  | 'isSecure'
  | 'onAnswered'
  | 'check'
  | 'readMail'
  | 'readiness'
  | 'machineNames'
  | 'clock'
  | 'logger'
>;

const routes = routesWith<unknown>().use(mispRoutes).use(healthRoutes);

/** Creates the server of a listener for MISP, whose routes are at the root regardless of `base_path`. */
export function createMispServer({ settings, limits, peerOf, keys, isSecure, onAnswered, ...parts }: MispAppParts) {
  const { check, readMail, readiness, machineNames, clock, logger } = parts;
  const arrivalOf = createArrivals(clock);
  const isOwnHost = createOwnHosts(settings, machineNames, peerOf);
  const service: (typeof routes)['decorator']['service'] = {
    ...{ check, readMail, readiness, arrivalOf, isOwnHost, ownNames: settings.host },
    misp: { isOn: () => true },
    quota: createQuota(limits, peerOf, keys),
    silenceSeconds: silenceSecondsOf(settings),
  };
  const app = {
    ...{ isSecure, isOwnHost, arrivalOf, onAnswered },
    problemOf: createProblemOf(logger),
    onMisdirected: createMisdirectedLog(logger, clock),
  };
  return createHttpApp(app, createUnrouted(routes.routes)).decorate('service', service).use(routes);
}
