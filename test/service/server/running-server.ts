import { createKeyManager } from '#src/admin/keys/manage-keys.ts';
import { ALL_PARTS } from '#src/app/parts.ts';
import type { CheckRequest, CheckService } from '#src/checks/check/check.ts';
import { CHECK_SETTINGS } from '#src/checks/check/settings.ts';
import type { AboutService } from '#src/checks/record/about.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { Stats } from '#src/checks/record/stats.ts';
import type { TodaysVerdict } from '#src/checks/record/todays-verdict.ts';
import { tcpPeer } from '#src/core/base/addresses/client-address.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import type { ConsoleOperations } from '#src/parts/console/console-routes.ts';
import type { FeedService } from '#src/parts/feeds/feed/feed-route.ts';
import { createServer, type ServerParts } from '#src/service/server/app.ts';
import type { GivenFeedback } from '#src/service/server/feedback/feedback-route.ts';
import type { LateRoutes } from '#src/service/server/late-routes.ts';
import { createLimits } from '#src/service/server/limiter/quota.ts';
import { textAsset } from '#src/service/server/page/assets.ts';
import { PAGE_POLICY, type WebPage } from '#src/service/server/page/page-routes.ts';
import { createPictureLinks } from '#src/service/server/pictures/picture-route.ts';
import { createResultSigner } from '#src/service/server/results/result-signer.ts';
import { SERVER_SETTINGS, type ServerSettings } from '#src/service/server/settings.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { NO_OPERATIONS } from './no-operations.ts';
import { sessionsOf } from './session/sessions-of.ts';

/** As the program has it, but that nobody is ever over a limit. */
const SETTINGS: ServerSettings = {
  ...defaultsOf({ ...CHECK_SETTINGS, ...SERVER_SETTINGS }),
  ...{ rate_limit: 0, network: 'full' },
};

/** The statistics of no check. */
export const NO_STATS: Stats = {
  hours: [],
  days: [],
  messages: { hours: [], days: [] },
  probabilities: [],
  blocked_sites: [],
  blocked_suffixes: [],
  answer_seconds: { p50: null, p90: null, p99: null, histogram: [] },
  disk_free_percent: 50,
  retention: { days: 90, bytes: null, rows: null },
};

/** What it tells of itself. */
export const ABOUT: AboutService = {
  version: '1.2.3',
  model: { version: 'test', date: '2026-01-31' },
  oldest_facts: { table: 'rdap-servers.json', retrieved: '2026-02-13' },
  network: 'none',
  lists: [],
  packs: [],
  retention: NO_STATS.retention,
  license: 'Apache-2.0',
  result_key: 'test',
};

/** What is said of every URL today. */
export const TODAY: TodaysVerdict = {
  malicious_probability: 0.99,
  decision: 'block',
  caution: false,
  model_version: 'test',
  timestamp: '2026-01-31T12:00:00.000Z',
};

/** Signs by a key that is always the same. */
export const RESULTS = createResultSigner(() => Buffer.alloc(32, 7));

/** The result of a finished check, under the id and at the time of its request. */
export function resultOf({ target, requestId, startedAtMs }: CheckRequest): CheckResult {
  return sampleCheck({ url: target.input, atMs: startedAtMs, result: { request_id: requestId } }).result;
}

const PAGE: WebPage = {
  files: new Map([
    ['', textAsset('text/html', '<p>page</p>')],
    ['assets/manual-1.css', textAsset('text/css', 'p {}')],
    ['assets/icon-1.svg', textAsset('image/svg+xml', '<svg/>')],
  ]),
  policy: PAGE_POLICY,
};

/** A mail without any evidence. */
const EMPTY_MAIL: Awaited<ReturnType<ServerParts['readMail']>> = {
  ...{ links: [], count: 0, unread: 0, isWhole: true },
  assess: () => ({
    verdict: { logOdds: -3, probability: 0.05, baseLogOdds: -3, contributions: [], scores: {} },
    decision: 'allow',
    thresholds: { warn: 0.5, block: 0.9 },
    modelVersion: 'message-test',
  }),
};

/** The server on a free port of the loopback, with a check service that needs no engine. */
export function startServer(
  options: {
    settings?: Partial<ServerSettings>;
    check?: CheckService['check'];
    history?: ServerParts['history'];
    historySummary?: ServerParts['historySummary'];
    walk?: ServerParts['walk'];
    stats?: ServerParts['stats'];
    privateHistory?: ServerParts['privateHistory'];
    metrics?: ServerParts['metrics'];
    readiness?: ServerParts['readiness'];
    isSecure?: boolean;
    keys?: ServerParts['keys'];
    hasNoKeys?: ServerParts['hasNoKeys'];
    sessions?: ServerParts['sessions'];
    audit?: ConsoleOperations['audit'];
    auditEntries?: ConsoleOperations['auditEntries'];
    apiKeys?: ConsoleOperations['apiKeys'];
    feeds?: Omit<FeedService, 'peers'>;
    misp?: boolean;
    feedPeers?: FeedService['peers'];
    stopping?: AbortSignal;
    page?: WebPage;
    operations?: Partial<ConsoleOperations>;
    readMail?: ServerParts['readMail'];
    pictures?: ServerParts['pictures'];
    onMessage?: ServerParts['onMessage'];
    messages?: ServerParts['messages'];
  } = {},
) {
  const requests: CheckRequest[] = [];
  const log: string[] = [];
  const feedback: GivenFeedback[] = [];
  const answer = options.check ?? ((request) => Promise.resolve(resultOf(request)));
  const settings = { ...SETTINGS, ...options.settings };
  const app = createServer({
    settings,
    limits: createLimits(settings, systemClock),
    peerOf: tcpPeer,
    isSecure: options.isSecure ?? false,
    onAnswered: () => null,
    keys: options.keys ?? { find: () => null },
    sessions: options.sessions ?? sessionsOf({ withDigest: () => null }, systemClock),
    authUsers: () => settings.auth_users,
    pictures: options.pictures ?? { find: () => null, has: () => false },
    pictureLinks: createPictureLinks(() => Buffer.alloc(32, 1), systemClock),
    operations: async () => ({
      ...{ ...NO_OPERATIONS, ...options.operations },
      ...(options.audit && { audit: options.audit }),
      ...(options.auditEntries && { auditEntries: options.auditEntries }),
      apiKeys: options.apiKeys ?? createKeyManager({ dataDir: '/none', change: () => {}, clock: systemClock }),
    }),
    metrics: options.metrics ?? (() => Promise.reject(new Error('nothing is measured'))),
    check: {
      check: (request) => {
        requests.push(request);
        return answer(request);
      },
    },
    readMail: options.readMail ?? (() => Promise.resolve(EMPTY_MAIL)),
    onMessage: options.onMessage ?? (() => Promise.resolve()),
    messages: options.messages ?? (() => Promise.reject(new Error('there are no messages'))),
    history: options.history ?? (() => Promise.resolve({ items: [], next_cursor: null })),
    privateHistory:
      options.privateHistory === undefined
        ? {
            page: () => Promise.reject(new Error('nothing is private')),
            messages: () => Promise.reject(new Error('nothing is private')),
          }
        : options.privateHistory,
    historySummary: options.historySummary ?? (() => Promise.reject(new Error('nothing is counted'))),
    walk: options.walk ?? (() => Promise.resolve({ items: [], next_cursor: 'here' })),
    stats: options.stats ?? (() => Promise.resolve(NO_STATS)),
    about: async () => ABOUT,
    hasNoKeys: options.hasNoKeys ?? (() => false),
    readiness: options.readiness ?? (() => Promise.resolve({ problem: null, notices: [], conditions: [], parts: [] })),
    results: RESULTS,
    todaysVerdict: async () => TODAY,
    takeFeedback: (given) => feedback.push(given),
    late: ALL_PARTS.flatMap(({ routes }): readonly LateRoutes[] => routes).map((routes) => ({
      ...routes,
      own: {
        feeds: {
          ...(options.feeds ?? { isOn: () => false, pull: () => Promise.resolve(null), onPulled: () => {} }),
          peers: options.feedPeers ?? (() => []),
        },
        misp: { isOn: () => options.misp ?? false },
      },
    })),
    stopping: options.stopping ?? new AbortController().signal,
    machineNames: ['box.corp.example', 'box'],
    page: async () => options.page ?? PAGE,
    clock: systemClock,
    logger: createLogger('debug', (line) => log.push(line)),
  }).listen({ hostname: '127.0.0.1', port: 0 });
  const port = app.server?.port ?? 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** What reached the check service. */
    requests,
    /** Feedback that was taken. */
    feedback,
    /** Requests whose answer is not wholly sent. */
    pendingRequests: () => app.server?.pendingRequests ?? 0,
    /** The lines of the process log. */
    log,
    /** Each route, as its method and path. */
    routes: app.routes.map(({ method, path }) => `${method} ${path}`),
    /** What Elysia made of a route and its hooks, as the text of a function. */
    composed: (path: string) => String(app.routes.find((route) => route.path === path)?.compile()),
    /** Answers a request without a connection. */
    handle: (path: string, request: RequestInit) => app.handle(new Request(`http://127.0.0.1:${port}${path}`, request)),
    /** Sends a check the way a client does. */
    check: (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}/api/check-url`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      await app.stop(true);
    },
  };
}
