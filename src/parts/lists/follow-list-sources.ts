import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import { createPeerClock } from '#src/app/peer-clock.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import type { DatabaseLog, LogEntry, ScanLog } from '#src/checks/store/scan-log.ts';
import { isFleet } from '#src/checks/store/settings.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { openLazily } from '#src/core/base/lazily.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { readAuthorities } from '#src/network/egress/authorities.ts';
import { createEgressCompartment } from '#src/network/egress/compartment.ts';
import type { FollowedSources } from './sources/follow-sources.ts';
import { hasSourceStates } from './sources/source-state.ts';

/** Bytes on the wire beside those of a list: headers and TLS. */
const WIRE_OVERHEAD_BYTES = 1024 * 1024;

/** Number of the latest checks of each log on which an import is tried before it is active. */
const MOST_CHECKS = 10_000;

/** The logs of a node. */
interface NodeLogs {
  readonly log: Pick<ScanLog, 'read'>;
  /** Null if the logs are files. */
  readonly databases: Pick<DatabaseLog, 'lead'> | null;
}

const NO_SOURCES: ReturnType<FollowedSources['status']> = { count: 0, notices: [], sources: [] };

/** Imports the list sources of a service; nothing of it is loaded while there are none. */
export async function followListSources(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'scoringContext'>,
  logs: NodeLogs,
  logger: Logger,
): Promise<FollowedSources> {
  const sources = openLazily(() => openListSources(running, engine, logs, logger));
  // The state of sources that were removed is removed once.
  const isUsed = () => running().list_sources.length > 0 || hasSourceStates(running().data_dir);
  if (isUsed()) await sources.get();
  return {
    async checkNow() {
      if (isUsed()) await (await sources.get()).checkNow();
    },
    status: () => sources.opened?.status() ?? NO_SOURCES,
    [Symbol.asyncDispose]: sources[Symbol.asyncDispose],
  };
}

/**
 * Follows the list sources of a service; the network is opened when the first URL is due. Of the nodes that share lists, one
 * imports for all.
 */
async function openListSources(
  running: () => ConfigFor<'serve'>,
  engine: Pick<Engine, 'scoringContext'>,
  { log, databases }: NodeLogs,
  logger: Logger,
): Promise<FollowedSources> {
  const [{ followSources }, { fetchSource, MAX_SOURCE_BYTES }] = await Promise.all([
    import('./sources/follow-sources.ts'),
    import('./sources/fetch-source.ts'),
  ]);
  const clock = systemClock;
  const network = openLazily(async () => {
    const config = running();
    const bounds = { wire_bytes: MAX_SOURCE_BYTES + WIRE_OVERHEAD_BYTES, body_bytes: MAX_SOURCE_BYTES };
    const { openEgress } = await import('#src/network/egress/egress.ts');
    const egress = openEgress({ ...config, ...bounds }, await readAuthorities(config), { clock, logger });
    return {
      open: () => egress.open(createEgressCompartment(config, clock)),
      [Symbol.asyncDispose]: egress[Symbol.asyncDispose],
    };
  });
  const sourceClock = createPeerClock('a list source', clock);
  const followed = followSources({
    dataDir: running().data_dir,
    sources: () => running().list_sources,
    leads: databases && isFleet(running()) ? leadership(databases) : undefined,
    fetch: async (url, known, signal) =>
      await fetchSource(url, known, (await network.get()).open(), signal, sourceClock.observe),
    context: engine.scoringContext,
    latestChecks: () => latestChecks(log, databases === null ? VISIBILITIES : ['public']),
    clock,
    logger,
  });
  return {
    ...followed,
    status() {
      const status = followed.status();
      return { ...status, notices: [...status.notices, ...sourceClock.notices()] };
    },
    async [Symbol.asyncDispose]() {
      await followed[Symbol.asyncDispose]();
      await network[Symbol.asyncDispose]();
    },
  };
}

/** Reads the latest checks. The role of a node may not read the private database. */
async function* latestChecks(
  log: Pick<ScanLog, 'read'>,
  visibilities: readonly Visibility[],
): AsyncGenerator<LogEntry> {
  for (const visibility of visibilities) {
    let left = MOST_CHECKS;
    for await (const entry of log.read(visibility, EVERY_CHECK)) {
      yield entry;
      if (--left === 0) break;
    }
  }
}

/** While the database is unreachable, the leader continues, and no other node takes its place. */
function leadership(databases: Pick<DatabaseLog, 'lead'>): () => Promise<boolean> {
  let isLeading = false;
  return async () => {
    isLeading = await databases.lead('list_sources').catch(() => isLeading);
    return isLeading;
  };
}
