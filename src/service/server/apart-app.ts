import type { AnyElysia } from 'elysia';
import type { ServerParts } from './app.ts';
import { healthRoutes } from './health-routes.ts';
import { silenceSecondsOf } from './http/client-addresses.ts';
import { createProblemOf } from './http/faults.ts';
import { createArrivals, createHttpApp } from './http/http-app.ts';
import { createMisdirectedLog } from './http/misdirected.ts';
import { createOwnHosts } from './http/request-site.ts';
import { routesWith } from './http/routes-with.ts';
import { createUnrouted } from './http/unrouted.ts';
import { createQuota } from './limiter/quota.ts';

/** Dependencies of a listener for some routes alone. */
export type ApartAppParts = Pick<
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

/**
 * Creates the server of a listener for late routes alone, which are at the root regardless of `base_path`.
 *
 * @param loaded the routes, with their own dependencies
 */
export function createApartServer(
  loaded: { readonly routes: AnyElysia; readonly own: object },
  { settings, limits, peerOf, keys, isSecure, onAnswered, ...parts }: ApartAppParts,
) {
  const { check, readMail, readiness, machineNames, clock, logger } = parts;
  const arrivalOf = createArrivals(clock);
  const isOwnHost = createOwnHosts(settings, machineNames, peerOf);
  const service = {
    ...{ check, readMail, readiness, arrivalOf, isOwnHost, ownNames: settings.host },
    quota: createQuota(limits, peerOf, keys),
    silenceSeconds: silenceSecondsOf(settings),
    ...loaded.own,
  };
  const app = {
    ...{ isSecure, isOwnHost, arrivalOf, onAnswered },
    problemOf: createProblemOf(logger),
    onMisdirected: createMisdirectedLog(logger, clock),
  };
  const routes: AnyElysia = routesWith<unknown>().use(loaded.routes).use(healthRoutes);
  return createHttpApp(app, createUnrouted(routes.routes)).decorate('service', service).use(routes);
}
