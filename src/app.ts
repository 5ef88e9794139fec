import { systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { Config } from '#src/config.ts';
import { describeLine } from '#src/record/describe-line.ts';
import { createServer } from '#src/server/app.ts';
import type { ServerSettings } from '#src/server/server-settings.ts';
import { openScanLog } from '#src/store/scan-log.ts';
import { pageFiles } from '#src/ui/assets.ts';
import { PAGE_POLICY } from '#src/ui/page-policy.ts';
import { openEngine } from './engine.ts';

/** What the process hands to the service. */
export interface AppTools {
  readonly logger: Logger;
  /** Takes the line of each finished check. */
  readonly print: (line: string) => void;
}

/** The service as it runs. Disposing of it lets requests under way finish, flushes the logs, and closes all the rest. */
export interface App extends AsyncDisposable {
  /** Where it answers. */
  readonly url: string;
}

/**
 * Opens everything and starts to serve; what is opened last is closed first.
 *
 * @throws StoreError where the data directory cannot be used; ListenError where the port cannot.
 */
export async function openApp(config: Config, { logger, print }: AppTools): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const log = opened.use(await openScanLog({ dataDir: config.data_dir, access: 'serve', clock: systemClock, logger }));
  const sink = {
    append: log.append,
    report: (record: Parameters<typeof describeLine>[0]) => print(describeLine(record)),
  };
  const engine = opened.use(await openEngine(config, sink, logger));
  const settings = serverSettings(config);
  const server = createServer({
    settings,
    check: engine.check,
    history: log.page,
    stats: log.stats,
    unready: () => null,
    page: {
      files: pageFiles({
        defaultPrivate: config.default_private,
        publicHistory: config.public_history,
        thresholds: engine.thresholds,
      }),
      policy: PAGE_POLICY,
    },
    clock: systemClock,
    logger,
  });
  const { host, port } = config.listen;
  try {
    server.listen({ hostname: host, port });
  } catch (cause) {
    throw new ListenError(`cannot listen on ${host}:${port}: ${explain(cause)}`, { cause });
  }
  opened.defer(async () => {
    await server.stop();
  });
  const listening = server.server;
  if (!listening) throw new ListenError(`cannot listen on ${host}:${port}`);
  engine.egress.denySelf({ address: listening.hostname ?? host, port: listening.port ?? port });
  const closing = opened.move();
  return { url: listening.url.origin, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** The address or port cannot be served on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

function explain(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'EADDRINUSE') return 'another program already does; stop it, or choose another port with --listen';
  if (code === 'EACCES') return 'this user may not; ports below 1024 are for the administrator';
  return cause instanceof Error ? cause.message : String(cause);
}

function serverSettings(config: Config): ServerSettings {
  return {
    rateLimit: config.rate_limit,
    rateLimitCidr: config.rate_limit_cidr,
    rateLimitTotal: config.rate_limit_total,
    rateLimitKeys: config.rate_limit_keys,
    trustedProxy: config.trusted_proxy,
    host: config.host,
    basePath: config.base_path,
    contact: config.contact,
    publicHistory: config.public_history,
    defaultPrivate: config.default_private,
    deadlineSeconds: config.deadline_seconds,
  };
}
