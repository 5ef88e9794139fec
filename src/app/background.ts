import type { FollowedSources } from '#src/admin/lists/sources/follow-sources.ts';
import type { DatabaseLog, ScanLog } from '#src/checks/store/scan-log.ts';
import { readClientKey } from '#src/checks/store/write/client-hash.ts';
import { systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notice } from '#src/core/base/text/notice.ts';
import type { TlsPair } from '#src/network/certificate/tls-pair.ts';
import { listsVersion } from '#src/network/lists/lists-version.ts';
import { followFeedback } from '#src/parts/fleet/feedback.ts';
import { nodePrints } from '#src/parts/fleet/node-prints.ts';
import type { DatabaseAccess } from '#src/parts/fleet/postgres/session/public-primary.ts';
import type { FollowedSets } from '#src/parts/fleet/postgres/shared/follow-shared.ts';
import { followFleet, isFleet } from '#src/parts/fleet/shared-state.ts';
import type { RaisedAlert } from '#src/parts/monitoring/alerts/condition.ts';
import type { Notifier } from '#src/parts/monitoring/notifications/notifier.ts';
import { openAlerts } from '#src/parts/monitoring/open-alerts.ts';
import { followPacks, type PackFollower, type PacksStatus } from '#src/parts/packs/updates/follow-packs.ts';
import { type NightlyRescore, startNightlyRescore } from '#src/parts/tuning/rescore/nightly.ts';
import { createRescorer } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { ConfigFor } from './config.ts';
import type { DataFiles } from './data-files.ts';
import type { Engine } from './engine.ts';
import { openListSources } from './open-list-sources.ts';
import type { OpenedLog } from './open-log.ts';

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
  readonly notifier: Pick<Notifier, 'alert'>;
  readonly logger: Logger;
}

/** Background work of a service: packs, list sources, the fleet, nightly re-scoring, backups and alerts. */
export interface Background extends AsyncDisposable {
  packs(): PacksStatus;
  listSources(): ReturnType<FollowedSources['status']>;
  alerts(): readonly RaisedAlert[];
  /** Tries all list sources at once. */
  renewSources(): Promise<void>;
  /** Returns why this node does not follow shared data. */
  fleet(): readonly Notice[];
  /** Why the fleet keeps this node from serving, as a sentence; null if it does not. */
  fleetProblem(): string | null;
  /** Synchronizes at once what the nodes share, without waiting for it. */
  syncFleet(): void;
  readonly nights: Pick<NightlyRescore, 'latest' | 'report'>;
  /** Looks for packs and list sources at once. */
  refreshSources(): Promise<unknown>;
}

/** Starts the work in the background. */
export async function startBackground(parts: BackgroundParts): Promise<Background> {
  const { running, engine, log, databases, local, pulls, pair, notifier, logger } = parts;
  await using opened = new AsyncDisposableStack();
  // First: nothing below is to change what the fleet has changed already.
  let reread = (): Promise<void> => Promise.resolve();
  const fleet = databases && opened.use(await joinFleet(databases, parts, () => reread()));
  const keeper = opened.use(openPackFollower(running, engine, log, logger));
  const sources = opened.use(openListSources(running, engine, { log, databases }, logger));
  const nights = opened.use(await startNights(running, { engine, log, databases, logger }));
  reread = nights.reread;
  const watched = opened.use(openAlerts({ running, engine, local, pulls, pair, onChange: notifier.alert, logger }));
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
): Promise<NightlyRescore> {
  const when = { at: () => running().rescore_at, dataDir: running().data_dir, clock: systemClock };
  const take = databases ? (dueMs: number) => databases.takeJob('rescore', dueMs) : undefined;
  return await startNightlyRescore({
    ...when,
    take,
    rescorer: () => createRescorer(engine.scoringContext()),
    log,
    logger,
  });
}

/** Reports to other nodes that this one is alive and what should be the same on all of them, and follows what they share. */
async function joinFleet(
  databases: DatabaseLog,
  { running, engine, dataFiles, logger, databaseAccess }: BackgroundParts,
  onRescored: () => Promise<void>,
): Promise<AsyncDisposable & { readonly followed: FollowedSets | null }> {
  const clientKey = await readClientKey(running());
  const fleet = new AsyncDisposableStack();
  const reload = async (name: string) => {
    if (name === 'rescored') await onRescored();
    for (const file of dataFiles.followed()) if (file.name === name) await file.followed.checkNow();
  };
  const tools = { databases, clock: systemClock, logger, databaseAccess, reload };
  const followed = isFleet(running()) ? fleet.use(await followFleet(running(), tools)) : null;
  fleet.use(followFeedback(running(), { databaseAccess, logger }));
  const scoring = () => ({ modelVersion: engine.modelVersion(), listsVersion: listsVersion(engine.lists) });
  fleet.use(databases.announce(() => ({ ...scoring(), prints: nodePrints(running(), clientKey) })));
  return { followed, [Symbol.asyncDispose]: () => fleet.disposeAsync() };
}

const NEWEST = { limit: 1, cursor: null, decision: null, domain: null, fromMs: null, untilMs: null };

/** Looks after the packs of a service. */
function openPackFollower(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'packs'>,
  log: Pick<ScanLog, 'page'>,
  logger: Logger,
): PackFollower {
  const settings = running();
  const { data_dir: dataDir } = settings;
  const newestCheck = async () => (await log.page(NEWEST)).items[0]?.timestamp ?? null;
  const dropFolder = () => running().pack_dir;
  return followPacks({ dataDir, settings, dropFolder, active: engine.packs, newestCheck, logger });
}
