import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notice, RaisedAlert } from '#src/core/base/text/condition.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import type { ConfigFor } from './config.ts';
import type { DataFiles } from './data-files.ts';
import type { Engine } from './engine.ts';
import type { OpenedLog } from './open-log.ts';
import { PROVIDED, type Provided } from './parts.ts';

/** Dependencies of the background work. */
export interface BackgroundParts {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Engine;
  readonly log: ScanLog;
  readonly databases: OpenedLog['databases'];
  readonly local: OpenedLog['local'];
  readonly dataFiles: Pick<DataFiles, 'followed'>;
  readonly databaseAccess: DatabaseAccess;
  /** Last pull of a feed by key name. */
  readonly pulls: ReadonlyMap<string, number>;
  /** Null without TLS. */
  readonly pair: () => TlsPair | null;
  readonly notifier: Pick<Provided<'openNotifier'>, 'alert'>;
  readonly logger: Logger;
}

/** Background work of a service: packs, list sources, the fleet, nightly re-scoring, backups and alerts. */
export interface Background extends AsyncDisposable {
  packs(): ReturnType<Provided<'followPacks'>['status']>;
  listSources(): ReturnType<Provided<'followListSources'>['status']>;
  alerts(): readonly RaisedAlert[];
  /** Tries all list sources at once. */
  renewSources(): Promise<void>;
  /** Returns why this node does not follow shared data. */
  fleet(): readonly Notice[];
  /** Why the fleet keeps this node from serving, as a sentence; null if it does not. */
  fleetProblem(): string | null;
  /** Synchronizes at once what the nodes share, without waiting for it. */
  syncFleet(): void;
  readonly nights: Pick<Provided<'startNightlyRescore'>, 'latest' | 'report'>;
  /** Looks for packs and list sources at once. */
  refreshSources(): Promise<unknown>;
}

/** Starts the work in the background. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { running, engine, log, databases, local, pulls, pair, notifier, logger } = parts;
  await using opened = new AsyncDisposableStack();
  // First: nothing below is to change what the fleet has changed already.
  let reread = (): Promise<void> => Promise.resolve();
  const fleet = databases && opened.use(await (await PROVIDED.joinFleet())(databases, parts, () => reread()));
  const keeper = opened.use(await openPackFollower(running, engine, log, logger));
  const sources = opened.use(await (await PROVIDED.followListSources())(running, engine, { log, databases }, logger));
  const nights = opened.use(await startNights(running, { engine, log, databases, logger }));
  reread = nights.reread;
  const watched = opened.use(
    (await PROVIDED.openAlerts())({ running, engine, local, pulls, pair, onChange: notifier.alert, logger }),
  );
  const closing = opened.move();
  return {
    packs: keeper.status,
    listSources: sources.status,
    alerts: watched.active,
    renewSources: sources.checkNow,
    fleet: () => fleet?.followed?.notices() ?? [],
    fleetProblem: () => fleet?.followed?.problem() ?? null,
    syncFleet: () => void fleet?.followed?.now(),
    nights,
    refreshSources: () => Promise.all([keeper.checkNow(), sources.checkNow()]),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Re-scores the public checks at the time of day that the settings name. */
async function startNights(
  running: () => Pick<ConfigFor<'serve'>, 'rescore_at' | 'data_dir'>,
  { engine, log, databases, logger }: Pick<BackgroundParts, 'engine' | 'log' | 'databases' | 'logger'>,
): Promise<Provided<'startNightlyRescore'>> {
  const when = { at: () => running().rescore_at, dataDir: running().data_dir, clock: systemClock };
  const take = databases ? (dueMs: number) => databases.takeJob('rescore', dueMs) : undefined;
  return await (await PROVIDED.startNightlyRescore())({
    ...when,
    take,
    rescorer: async () => (await PROVIDED.createRescorer())(engine.scoringContext()),
    log,
    logger,
  });
}

const NEWEST = { limit: 1, cursor: null, ...EVERY_CHECK };

/** Looks after the packs of a service. */
async function openPackFollower(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'packs'>,
  log: Pick<ScanLog, 'page'>,
  logger: Logger,
): Promise<Provided<'followPacks'>> {
  const settings = running();
  const { data_dir: dataDir } = settings;
  const newestCheck = async () => (await log.page(NEWEST)).items[0]?.timestamp ?? null;
  const dropFolder = () => running().pack_dir;
  return (await PROVIDED.followPacks())({ dataDir, settings, dropFolder, active: engine.packs, newestCheck, logger });
}
