import { hostname } from 'node:os';
import type { MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import type { HistoryQuery } from '#src/checks/store/scan-log.ts';
import { openClientHash } from '#src/checks/store/write/client-hash.ts';
import type { PeerOf } from '#src/core/base/addresses/client-address.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { importedOnUse, lazily, openLazily } from '#src/core/base/lazily.ts';
import type { ListenAddress } from '#src/core/base/settings/listen-address.ts';
import type { createApartServer } from '#src/service/server/apart-app.ts';
import { createServer } from '#src/service/server/app.ts';
import { type FeedbackIntake, openFeedbackIntake } from '#src/service/server/feedback/feedback-route.ts';
import { createWalker } from '#src/service/server/history/history-routes.ts';
import { createLimits, type Limits } from '#src/service/server/limiter/quota.ts';
import { PAGE_POLICY, type WebPage } from '#src/service/server/page/page-routes.ts';
import { createPictureLinks, withPictureLinks } from '#src/service/server/pictures/picture-route.ts';
import { createResultSigner } from '#src/service/server/results/result-signer.ts';
import type { RouteParts } from '#src/service/server/routes.ts';
import type { Background } from './background.ts';
import type { ConfigFor } from './config.ts';
import { openControlSocket } from './control/control-socket.ts';
import { changeDataFiles, openAccess } from './data-files.ts';
import type { Engine } from './engine.ts';
import { type Listeners, openListeners } from './listen/listeners.ts';
import type { MailReader } from './message/open-mail-reader.ts';
import type { LogUpkeep, OpenedLog } from './open-log.ts';
import { leave, type OpenedService } from './opened-service.ts';
import { CONDITION_CODES, PROVIDED } from './parts.ts';
import type { Watching } from './watching.ts';

/**
 * Time beyond the deadline of a check in which a client may still receive its answer while the service stops, and for
 * which work beside checks may wait for a database.
 */
const STOP_GRACE_SECONDS = 2;

/** The servers of a service. Disposing of them completes in-flight requests. */
interface Serving extends AsyncDisposable {
  readonly listeners: Listeners;
  /** The listeners of addresses for some routes alone. */
  readonly apart: readonly Listeners[];
  readonly limits: Limits;
  readonly adminUrl: string | null;
  /** Addresses of the service itself, which no check may reach. */
  readonly endpoints: Listeners['endpoints'];
}

/** Opens the servers of a service. Throws ListenError, OperationError. */
export async function openServing(service: OpenedService, { readiness, metrics }: Watching): Promise<Serving> {
  const { live, openedLog, pictures, upkeep, checking, parts, liveChecks, key, databaseAccess, stop, tools } = service;
  const running = () => live.running;
  const config = live.running;
  const { logger } = tools;
  const { engine, background, dataFiles, sharedLimits } = checking;
  const stopping = stop.stopping.signal;
  await using opened = new AsyncDisposableStack();
  const results = createResultSigner(key);
  const pictureLinks = createPictureLinks(key, systemClock);
  const feedback = opened.use(await openFeedback(service));
  const limits = createLimits(config, systemClock, sharedLimits?.share);
  const shown = { readiness, machineNames: machineNames(), logger };
  const { openKeyManager, sessions, keyUsedMs, noteUse } = openAccess(config, dataFiles, key, background.syncFleet);
  // Loaded for the first mail that a client sends.
  const mails = opened.use(
    openLazily(async () =>
      (await import('./message/open-mail-reader.ts')).openMailReader(engine, running, { key, logger }),
    ),
  );
  const check = withPictureLinks(engine.check, pictures, pictureLinks, config.base_path);
  const common = {
    ...{ ...shown, settings: config, limits, check, clock: systemClock },
    onAnswered: () => metrics.opened?.answered ?? null,
    readMail: async (...mail: Parameters<MailReader['readMail']>) => (await mails.get()).readMail(...mail),
    keys: {
      find: dataFiles.keys.find,
      onUse({ name }: { name: string }) {
        noteUse(name);
        metrics.opened?.keyUsed(name);
      },
    },
  };
  const about = () => aboutService(running(), engine, background.packs(), results, upkeep);
  const watching = { readiness, about, origins: tools.origins, openedLog, upkeep, background };
  const startedAt = new Date(systemClock.now()).toISOString();
  const operations = lazily(async () =>
    (await PROVIDED.openConsole())({
      ...{ ...watching, startedAt, running, engine, liveChecks, stopping, apiKeys: await openKeyManager(), keyUsedMs },
      ...{ gate: () => parts.get('proxy'), milter: () => parts.get('mail'), conditionCodes: CONDITION_CODES },
      change: (names, work) => changeDataFiles(running(), dataFiles, names, work),
    }),
  );
  const routed = parts.routes(running, (list, status, keyName, isStale) => {
    if (keyName !== null) checking.pulls.set(keyName, systemClock.now());
    metrics.opened?.feedPulled(list, status, keyName, isStale);
  });
  const createServerFor = (peerOf: PeerOf, isSecure: boolean) =>
    createServer({
      ...{ ...common, peerOf, isSecure },
      onMessage: messageReporter(openedLog.log, checking.logMessage, (mail) => {
        metrics.opened?.messageChecked(mail);
        liveChecks.checkedMail(mail);
      }),
      metrics: metrics.get,
      ...logRoutes(config.data_dir, openedLog, { upkeep, nights: background.nights, stopping }),
      takeFeedback: feedback.take,
      late: routed.map(({ own, ...late }) => ({ ...late, own: own(false) })),
      hasNoKeys: dataFiles.keys.isEmpty,
      about,
      ...{ pictures, pictureLinks },
      ...{ results, todaysVerdict: (url) => todaysVerdict(engine, url) },
      stopping,
      page: lazily(() => webPage(config, engine)),
      sessions,
      authUsers: () => running().auth_users,
      operations,
    });
  const listening = { pair: live.pair, isPortShared: config.reuse_port, patienceMs: patienceMs(config) };
  const listeners = opened.use(
    await openListeners(config.listen, {
      ...listening,
      createServer: createServerFor,
      inheritedSockets: tools.inheritedSockets,
    }),
  );
  const apart: Listeners[] = [];
  for (const one of routed.filter(({ addresses }) => addresses.length > 0)) {
    const createServer = await apartServer(one, common);
    apart.push(opened.use(await openListeners(one.addresses, { ...listening, inheritedSockets: [], createServer })));
  }
  const openAdmin = async (address: ListenAddress) =>
    (await import('./admin.ts')).openAdminListener(address, { ...shown, metrics: await metrics.get() });
  const admin = config.admin_listen && opened.use(await openAdmin(config.admin_listen));
  opened.use(await openControlSocket(config.data_dir, { files: dataFiles.followed(), readiness, logger }));
  // Requests in flight may wait for work beside checks, so that this ends first.
  opened.defer(() => void setTimeout(() => databaseAccess.turns?.end(), STOP_GRACE_SECONDS * 1000).unref());
  opened.defer(() => leave(stop, config.stop_delay_seconds));
  const closing = opened.move();
  return {
    listeners,
    apart,
    limits,
    adminUrl: admin?.url ?? null,
    endpoints: [
      ...[listeners, ...apart].flatMap(({ endpoints }) => endpoints),
      ...(admin?.endpoint ? [admin.endpoint] : []),
    ],
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Describes the service. Loaded with its first use, since it imports all tables of facts for their ages. */
const aboutService = async (...sources: Parameters<typeof import('./about.ts').aboutService>) =>
  (await import('./about.ts')).aboutService(...sources);

/** Opens the web page. Loaded with its first visitor: it is larger than all the rest that a start reads. */
async function webPage(config: ConfigFor<'serve'>, { thresholds }: Pick<Engine, 'thresholds'>): Promise<WebPage> {
  const { pageFiles } = await import('#src/service/server/page/page-files.ts');
  return { files: pageFiles(config, thresholds), policy: PAGE_POLICY };
}

/** Reports checked mails. Loaded with the first one. */
const messageReporter =
  (...parts: Parameters<typeof import('./message/report-message.ts').messageReporter>): RouteParts['onMessage'] =>
  async (...mail) =>
    (await import('./message/report-message.ts')).messageReporter(...parts)(...mail);

/** Classifies a URL once more. Loaded with the first verification of a result. */
const todaysVerdict = async (...of: Parameters<typeof import('./todays-verdict.ts').todaysVerdict>) =>
  (await import('./todays-verdict.ts')).todaysVerdict(...of);

/** Returns what creates a server for the routes of a part that have listeners of their own. */
async function apartServer(
  { load, own }: ReturnType<OpenedService['parts']['routes']>[number],
  common: Omit<Parameters<typeof createApartServer>[1], 'peerOf' | 'isSecure'>,
): Promise<(peerOf: PeerOf, isSecure: boolean) => ReturnType<typeof createApartServer>> {
  const { createApartServer } = await import('#src/service/server/apart-app.ts');
  const loaded = { routes: await load(), own: own(true) };
  return (peerOf, isSecure) => createApartServer(loaded, { ...common, peerOf, isSecure });
}

/** Opens the queue of feedback, beside the logs. */
async function openFeedback({ live, openedLog, notifier, tools }: OpenedService): Promise<FeedbackIntake> {
  const { data_dir: dataDir, retention_days: retentionDays } = live.running;
  return openFeedbackIntake({
    ...{ log: openedLog.log, dataDir, retentionDays, onStored: notifier.feedback, clock: systemClock },
    hashOf: openClientHash(dataDir, live.clientKey),
    logger: tools.logger,
  });
}

/** Returns how long in-flight requests may take while the service stops, in milliseconds. */
function patienceMs({ deadline_seconds }: ConfigFor<'serve'>): number {
  return (deadline_seconds + STOP_GRACE_SECONDS) * 1000;
}

/** Names of this host, with and without domain. */
function machineNames(): string[] {
  const name = hostname().toLowerCase();
  return [name, name.split('.', 1)[0] ?? name];
}

/** Returns what routes may read of the logs. */
function logRoutes(
  dataDir: string,
  { log, databases }: Pick<OpenedLog, 'log' | 'databases'>,
  {
    upkeep,
    nights,
    stopping,
  }: {
    readonly upkeep: LogUpkeep;
    readonly nights: Pick<Background['nights'], 'report'>;
    readonly stopping: AbortSignal;
  },
) {
  const { messages } = log;
  const stats = async () => {
    const [counts, rescored] = await Promise.all([log.stats(), nights.report()]);
    return { ...counts, retention: upkeep.retention(), ...(rescored && { rescored }) };
  };
  return {
    history: (query: HistoryQuery) => log.page(query),
    historySummary: log.summary,
    messages: (query: MessagePageQuery) => messages.page(query, 'public'),
    privateHistory: databases
      ? null
      : importedOnUse(async () => (await import('./private-history.ts')).openPrivateHistory(dataDir, log)),
    walk: createWalker({ walk: log.walk, stopping, clock: systemClock }),
    stats,
  };
}
