import { Elysia } from 'elysia';
import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { CheckService } from '#src/check/check.ts';
import { checkUrl } from './check-url.ts';
import { createExchanges } from './exchange.ts';
import { replyProblem } from './problem.ts';
import type { ServerSettings } from './server-settings.ts';

/** What the server serves. */
export interface ServerParts {
  readonly settings: ServerSettings;
  readonly check: CheckService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The HTTP side, ready to `listen({ hostname, port })`. */
export function createServer({ settings, check, clock, logger }: ServerParts) {
  const run = createExchanges(clock, logger);
  const operations = { checkUrl: checkUrl(check) };
  return new Elysia({
    prefix: settings.basePath,
    // A second server on the same port must fail; a body is refused by us, with a reason, before Bun's bare 413 is due.
    serve: { reusePort: false, development: false, idleTimeout: 10, maxRequestBodySize: 1024 * 1024 },
  })
    .post('/api/check-url', ({ request, server }) => run(operations.checkUrl, request, server))
    .onError(({ request, server }) =>
      run(
        ({ requestId }) => replyProblem(requestId, { status: 404, detail: 'There is nothing here.' }),
        request,
        server,
      ),
    );
}
