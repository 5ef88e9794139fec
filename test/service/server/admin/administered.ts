import { changeKeyFile, type Scope } from '#src/admin/keys/api-key.ts';
import { createKeyManager } from '#src/admin/keys/manage-keys.ts';
import { readConfig } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { CONDITION_CODES } from '#src/app/parts.ts';
import { createLiveChecks } from '#src/checks/check/live-checks.ts';
import { type LocalLog, openLocalLog } from '#src/checks/store/local-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createTurns } from '#src/core/base/turns.ts';
import { type ConsolePlace, consolePlace } from '#src/parts/console/console-place.ts';
import type { ConsoleOperations } from '#src/parts/console/console-routes.ts';
import { type ConsoleSources, openConsole } from '#src/parts/console/open-console.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { ABOUT } from '../running-server.ts';
import { startConsole } from '../session/console-server.ts';

/** What a test may want to choose. */
interface Administered {
  /** URLs of the public checks in its log. */
  readonly urls?: readonly string[];
  /** Settings, by their flags. */
  readonly flags?: Readonly<Record<string, readonly string[]>>;
  /** Replaces operations that need another process or another host. */
  readonly instead?: (dataDir: string, log: LocalLog, place: ConsolePlace) => Partial<ConsoleOperations>;
}

interface CallOptions {
  readonly as?: Scope;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service whose console administers a data directory of its own. */
export async function openAdministered({ urls = [], flags = {}, instead }: Administered = {}) {
  await using opened = new AsyncDisposableStack();
  const { path: dataDir } = opened.use(temporaryDirectory());
  const logger = createLogger('error', () => {});
  const given = { ...flags, 'data-dir': [dataDir], network: ['none'] };
  const { values: config, origins } = readConfig({ flags: given, environment: {}, file: null });
  const log = opened.use(await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger }));
  await Promise.all(urls.map((url) => log.append(sampleRecord({ url }))));
  const live = createLiveChecks(systemClock);
  const engine = opened.use(await openEngine(config, { store: STORE_NONE, logger }));
  const { signal: stopping } = new AbortController();
  const change: ConsoleSources['change'] = (_, work) => work();
  const service = { running: () => config, engine, change, stopping };
  const place = consolePlace({ ...service, log, heavy: createTurns() });
  const apiKeys = createKeyManager({
    ...{ dataDir, change: (change) => changeKeyFile(dataDir, change), clock: systemClock },
  });
  const operations = openConsole({
    ...{ apiKeys, keyUsedMs: () => null, startedAt: new Date(systemClock.now()).toISOString() },
    ...service,
    origins: () => origins,
    ...{ openedLog: { log, local: log, databases: null }, about: async () => ABOUT },
    ...{
      upkeep: { retention: () => ABOUT.retention },
      background: {
        alerts: () => [],
        listSources: () => ({ sources: [] }),
        renewSources: async () => {},
      },
    },
    readiness: async () => ({ problem: null, notices: [], conditions: [], parts: [] }),
    ...{ gate: () => null, milter: () => null, conditionCodes: CONDITION_CODES, liveChecks: live },
  });
  const console = startConsole({
    ...{ apiKeys, auditEntries: operations.auditEntries },
    operations: { ...operations, ...instead?.(dataDir, log, place) },
  });
  opened.use(console.server);
  /** Sends a request with the key of a scope; the body of the answer is parsed. */
  const call = async (method: string, address: string, { as = 'admin', body, headers = {} }: CallOptions = {}) => {
    const response = await fetch(`${console.server.url}/api/admin/${address}`, {
      method,
      headers: { authorization: `Bearer ${console.secretOf(as)}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? null : JSON.parse(text);
    return {
      status: response.status,
      headers: response.headers,
      body: parsed,
      code: `${response.status} ${parsed?.code}`,
    };
  };
  const closing = opened.move();
  return { dataDir, log, console, call, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
