import { Elysia } from 'elysia';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { CheckService } from '#src/check/check.ts';
import type { HistoryPage } from '#src/record/history-page.ts';
import type { Stats } from '#src/record/stats.ts';
import type { HistoryQuery } from '#src/store/scan-log.ts';
import type { Readiness } from './health-routes.ts';
import { createArrivals } from './http/arrivals.ts';
import { createProblemOf } from './http/faults.ts';
import { problemBody } from './http/problem.ts';
import { PROBLEM_KINDS } from './http/problem-kinds.ts';
import { createOwnHosts, isAtStandardPort, MISDIRECTED, ownHostGuard, ownSiteGuard } from './http/request-site.ts';
import { respond } from './http/respond.ts';
import { createUnrouted } from './http/unrouted.ts';
import type { PeerOf } from './limiter/peer.ts';
import { createQuota, type Limits } from './limiter/quota.ts';
import type { WebPage } from './page/page-routes.ts';
import { createRoutes } from './routes.ts';
import type { ServerSettings } from './settings.ts';

/** Time for an answer to reach a slow client, on top of the check's own deadline and its wait for a turn. */
const GRACE_SECONDS = 30;

/** The longest silence that `Bun.serve` can be told to bear; beyond, 0 switches the time-out off. */
const MAX_SILENCE_SECONDS = 255;

/** For a year, in seconds, browsers shall not try without TLS (RFC 6797 §6.1). */
const ALWAYS_SECURE = 'max-age=31536000';

/** What a server serves. */
export interface ServerParts {
  readonly settings: ServerSettings;
  /** Shared by all servers of the process. */
  readonly limits: Limits;
  readonly peerOf: PeerOf;
  /** Whether it speaks TLS. */
  readonly isSecure: boolean;
  readonly check: CheckService;
  /** A page of the public history; throws BadCursorError. */
  readonly history: (query: HistoryQuery) => Promise<HistoryPage>;
  readonly stats: () => Promise<Stats>;
  readonly readiness: () => Promise<Readiness>;
  readonly page: WebPage;
  /** The names of this machine, lower case. */
  readonly machineNames: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The HTTP side, ready to `listen({ hostname, port })`. */
export function createServer({ settings, limits, peerOf, isSecure, clock, logger, ...parts }: ServerParts) {
  const { base_path: basePath } = settings;
  const isOwnHost = createOwnHosts(settings, parts.machineNames, peerOf);
  const arrivalOf = createArrivals(clock);
  const problemOf = createProblemOf(logger);
  const silenceSeconds = Math.ceil(settings.deadline_seconds + GRACE_SECONDS);
  const routes = createRoutes({
    ...parts,
    basePath,
    ownSite: ownSiteGuard(settings.host),
    ownHost: ownHostGuard(isOwnHost),
    arrivalOf,
    problemOf,
    quota: createQuota(limits, peerOf),
    isShown: settings.public_history,
    silenceSeconds: silenceSeconds > MAX_SILENCE_SECONDS ? 0 : silenceSeconds,
    // Only who reads the document pays for the plugin that writes it.
    document: async () => (await import('./docs/openapi.ts')).openApiDocument(basePath),
  });
  // A proxy may take the base path off before it passes a request on, or leave it: both find everything.
  const below = basePath === '' ? [] : [new Elysia({ prefix: basePath, normalize: false }).use(routes)];
  const unrouted = createUnrouted([routes, ...below].flatMap((one) => one.routes));
  // A declaration: from the text of an arrow that calls something, Elysia would take it for asynchronous and wait.
  function noteArrival({ request }: { readonly request: Request }): void {
    arrivalOf(request);
  }
  const app = new Elysia({
    // Nothing of a request is changed to fit its schema.
    normalize: false,
    // A second server on the same port must fail; a body is refused by us, with a reason, before Bun's bare 413 is due.
    serve: { reusePort: false, development: false, idleTimeout: 10, maxRequestBodySize: 1024 * 1024 },
  })
    .onRequest(noteArrival)
    .mapResponse(({ request, responseValue, set }) => {
      const acceptEncoding = request.headers.get('accept-encoding');
      if (isSecure && isAtStandardPort(request)) set.headers['strict-transport-security'] = ALWAYS_SECURE;
      return respond(responseValue, { requestId: arrivalOf(request).requestId, acceptEncoding }, set);
    })
    .onError(({ code, error, request, server, body, set }) => {
      const { requestId } = arrivalOf(request);
      const problem =
        code === 'NOT_FOUND'
          ? isOwnHost({ request, server })
            ? unrouted(request)
            : MISDIRECTED
          : problemOf(error, { requestId, isPrivate: wantsPrivacy(body) });
      if ('allow' in problem) {
        set.status = 204;
        set.headers.allow = problem.allow;
        return null;
      }
      set.status = PROBLEM_KINDS[problem.code].status;
      Object.assign(set.headers, problem.headers);
      return problemBody(problem, requestId);
    })
    .use(routes);
  for (const one of below) app.use(one);
  return app;
}

/** A body that was read before something failed, and that asked for privacy. */
function wantsPrivacy(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'private_mode' in body && body.private_mode === true;
}
