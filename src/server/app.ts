import { Elysia } from 'elysia';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { CheckService } from '#src/check/check.ts';
import type { HistoryPage } from '#src/record/history-page.ts';
import type { Stats } from '#src/record/stats.ts';
import type { HistoryQuery } from '#src/store/read/history.ts';
import { checkUrl } from './check/check-url.ts';
import { swaggerRoutes } from './docs/swagger.ts';
import { livez, type Readiness, readyz } from './health.ts';
import { history } from './history/history.ts';
import { stats } from './history/stats.ts';
import { createExchanges, type Operation } from './http/exchange.ts';
import { replyProblem } from './http/problem.ts';
import { reply } from './http/reply.ts';
import { pathOf } from './http/request-path.ts';
import { misdirection } from './http/request-site.ts';
import { unrouted } from './http/unrouted.ts';
import type { Asset } from './page/asset.ts';
import { serveAsset } from './page/assets.ts';
import { apiRoutes } from './routes.ts';
import type { ServerSettings } from './settings.ts';

/** The web page, as files that the executable carries. */
export interface WebPage {
  /** By path relative to the base path; the empty path is the page's document. */
  readonly files: ReadonlyMap<string, Asset>;
  /** The Content-Security-Policy of the document. */
  readonly policy: string;
}

/** What the server serves. */
export interface ServerParts {
  readonly settings: ServerSettings;
  readonly check: CheckService;
  /** A page of the public history; throws BadCursorError. */
  readonly history: (query: HistoryQuery) => HistoryPage;
  readonly stats: () => Stats;
  readonly readiness: () => Promise<Readiness>;
  readonly page: WebPage;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The HTTP side, ready to `listen({ hostname, port })`. */
export function createServer({ settings, check, clock, logger, page, ...parts }: ServerParts) {
  const { base_path: basePath, host: names } = settings;
  const { run, problemOf } = createExchanges(clock, logger);
  const addressed =
    (operation: Operation): Operation =>
    (exchange) => {
      const problem = misdirection(exchange.request.headers, names);
      return problem ? replyProblem(exchange.requestId, problem) : operation(exchange);
    };
  const app = new Elysia({
    // A second server on the same port must fail; a body is refused by us, with a reason, before Bun's bare 413 is due.
    serve: { reusePort: false, development: false, idleTimeout: 10, maxRequestBodySize: 1024 * 1024 },
  });
  const operations = {
    checkUrl: checkUrl(check, settings, clock, problemOf),
    history: addressed(history(settings.public_history ? parts.history : null)),
    stats: addressed(stats(settings.public_history ? parts.stats : null)),
    livez,
    readyz: readyz(parts.readiness),
  };
  const files = [...swaggerRoutes(basePath), ...pageRoutes(basePath, page)];
  // A proxy may take the base path off before it passes a request on, or leave it: both find everything.
  for (const prefix of new Set(['', basePath])) {
    app.use(apiRoutes(prefix, run, operations));
    for (const [path, operation] of files) {
      const own = addressed(operation);
      app.get(`${prefix}/${path}`, ({ request, server }) => run(own, request, server));
    }
  }
  const other = addressed(unrouted(app.routes));
  return app.onError(({ code, error, request, server }) => {
    const fault: Operation = () => Promise.reject(error);
    return run(code === 'NOT_FOUND' ? other : fault, request, server);
  });
}

function pageRoutes(basePath: string, { files, policy }: WebPage): [path: string, Operation][] {
  return Array.from(files, ([path, asset]) => {
    if (path !== '') return [path, serveAsset(asset)];
    const document = serveAsset(asset, policy);
    return [path, basePath === '' ? document : withFinalSlash(basePath, document)];
  });
}

/** The page's relative addresses need the slash at the end of the base path. */
function withFinalSlash(basePath: string, serve: Operation): Operation {
  return (exchange) =>
    pathOf(exchange.request) === basePath
      ? reply(exchange.requestId, 308, null, null, { location: `${basePath}/` })
      : serve(exchange);
}
