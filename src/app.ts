import { FEATURE_NAMES } from '#src/analyzers/index.ts';
import { type AssessSettings, assess, type Models } from '#src/assess/assess.ts';
import { systemClock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { type CheckParts, type CheckService, createCheckService } from '#src/check/check.ts';
import type { Config } from '#src/config.ts';
import { loadFusionModel } from '#src/fusion/model.ts';
import { loadLexicalModel } from '#src/lexical/model.ts';
import { unobserved } from '#src/probes/observations.ts';
import { describeLine } from '#src/record/describe-line.ts';
import { createServer } from '#src/server/app.ts';
import { openScanLog } from '#src/store/scan-log.ts';
import { pageFiles } from '#src/ui/assets.ts';
import fusionJson from './models/fusion.json' with { type: 'json' };
import lexicalPath from './models/lexical.bin' with { type: 'file' };

/** The engine, and what it needs of the world, ready to check. */
export interface Engine extends AsyncDisposable {
  readonly check: CheckService;
  readonly models: Models;
}

/** What the process hands to everything that it opens. */
export interface AppTools {
  readonly logger: Logger;
  /** Takes the line of each finished check. */
  readonly print: (line: string) => void;
}

/** Where checks go once they are judged. */
export type CheckSink = Pick<CheckParts, 'append' | 'report'>;

/** Checks that are answered and not kept. */
export const NO_LOG: CheckSink = { append: async () => {}, report: () => {} };

/**
 * Loads the models and opens the network as configured.
 *
 * @throws ModelError where the model files do not fit this program.
 */
export async function openEngine(config: Config, sink: CheckSink): Promise<Engine> {
  const models = await loadModels();
  const settings = assessSettings(config, models);
  const check = createCheckService({
    observe: async () => unobserved('disabled'),
    assess: (target, observations) => assess(target, observations, models, settings),
    ...sink,
    clock: systemClock,
  });
  return { check, models, [Symbol.asyncDispose]: async () => {} };
}

/** Loads the embedded models, which takes a few milliseconds: nothing of them is parsed but the small table of weights. */
async function loadModels(): Promise<Models> {
  const lexical = loadLexicalModel(await Bun.file(lexicalPath).arrayBuffer());
  const fusion = loadFusionModel(fusionJson, FEATURE_NAMES);
  return { lexical, fusion, version: `${fusion.name}-${lexical.version}` };
}

function assessSettings(config: Config, { fusion }: Models): AssessSettings {
  return {
    baseRate: config.base_rate,
    thresholds: {
      warn: config.warn_threshold ?? fusion.thresholds.warn,
      block: config.block_threshold ?? fusion.thresholds.block,
    },
  };
}

/** The service as it runs: `url` is where it answers. Disposing of it drains, flushes, and closes all in reverse order. */
export interface App extends AsyncDisposable {
  readonly url: string;
}

/**
 * Opens everything and starts to serve.
 *
 * @throws StoreError where the data directory cannot be used; an `EADDRINUSE` error where the port is taken.
 */
export async function openApp(config: Config, { logger, print }: AppTools): Promise<App> {
  await using opened = new AsyncDisposableStack();
  const log = opened.use(await openScanLog({ dataDir: config.data_dir, access: 'serve', clock: systemClock, logger }));
  const engine = opened.use(
    await openEngine(config, { append: log.append, report: (record) => print(describeLine(record)) }),
  );
  const server = createServer({
    settings: {
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
    },
    check: engine.check,
    history: log.page,
    stats: log.stats,
    unready: () => null,
    assets: pageFiles({ defaultPrivate: config.default_private, publicHistory: config.public_history }),
    clock: systemClock,
    logger,
  });
  server.listen({ hostname: config.listen.host, port: config.listen.port });
  opened.defer(async () => {
    await server.stop();
  });
  const { url } = server.server ?? {};
  if (!url) throw new Error('the server does not listen');
  const closing = opened.move();
  return { url: url.origin, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
