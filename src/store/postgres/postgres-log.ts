import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { VERSION } from '#src/base/version.ts';
import type { Visibility } from '#src/base/visibility.ts';
import type { CheckRecord } from '#src/record/check-record.ts';
import type { LogStats } from '#src/record/stats.ts';
import { makePrivateDirectory } from '../file/data-directory.ts';
import { lockDirectory } from '../file/directory-lock.ts';
import { freeDiskPercent } from '../file/file-system.ts';
import { statsOf } from '../read/stats.ts';
import { BadCursorError, type DatabaseLog, type ScanLog } from '../scan-log.ts';
import { StoreError } from '../store-error.ts';
import { openClientHash } from '../write/client-hash.ts';
import { keptCheck } from '../write/kept-check.ts';
import { stopping, unreadable } from '../write/unlogged.ts';
import { createAppendSession, requireSchema } from './append-session.ts';
import { askInTurn } from './ask-in-turn.ts';
import { readFigures } from './database-stats.ts';
import type { DatabaseUrl } from './database-url.ts';
import { databaseFaultOf, withoutStatement } from './fault.ts';
import { entriesOf } from './find-in-database.ts';
import { createLane, type Lane } from './lane.ts';
import { keepSigningIn, type NodeJudgement } from './nodes.ts';
import { databasePage, databaseSummary, readDatabase, tailDatabase } from './read-database.ts';
import { readFleet } from './read-nodes.ts';
import { createSession, type ResolveHost, type Session } from './session.ts';
import { openSpool } from './spool.ts';
import { walkDatabase } from './walk-database.ts';

/** A reader gives up sooner than it would be in the way of appends. */
const READ_TIMEOUT_MS = 3000;
const MAX_READERS = 4;

/** Statistics are believed for so many times as long as they took, and for a minute at most. */
const STATS_REST = 10;
const STATS_REST_MS = 60_000;

/** How the logs are opened. */
export interface PostgresLogOptions {
  /** Each a list of servers that are tried in turn; empty where that log is not asked for. */
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly access: 'serve' | 'append' | 'read';
  /** Where the spools lie. */
  readonly dataDir: string;
  /** The key by which clients are hashed; one in the data directory where none is given. */
  readonly clientKey?: Buffer | null;
  readonly nodeName: string;
  /** How long a check waits for the database. */
  readonly timeoutMs: number;
  /** Checks that may wait on this node for each database; 0 where they are refused instead. */
  readonly spoolRows: number;
  /** Where the hosts of the servers are; see {@link createSession}. */
  readonly resolve?: ResolveHost | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Opens the logs in their databases. One that is away is waited for by the checks, or their spool; only one that answers
 * with a schema that does not fit is refused.
 *
 * @throws StoreError where a schema does not fit, or the data directory cannot be used
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<DatabaseLog> {
  const { access, clock, logger, dataDir, urls, timeoutMs, resolve } = options;
  await using opening = new AsyncDisposableStack();
  let judge: (() => NodeJudgement) | null = null;
  const waiting = () => (lanes ? lanes.public.waiting() + lanes.private.waiting() : 0);
  const sign = { name: options.nodeName, version: VERSION, judgement: () => judge?.() ?? null, waiting, clock };
  const readers = { public: openReader('public'), private: openReader('private') };
  const lanes = access === 'read' ? null : openLanes();
  const hashClient = access === 'read' ? null : openClientHash(dataDir, options.clientKey);
  for (const visibility of ['public', 'private'] as const) await tryOut(visibility);
  const closing = opening.move();
  const stats = restingStats(readers.public, options);

  function openReader(visibility: Visibility): Session {
    const servers = urls[visibility];
    const limits = { timeoutMs: READ_TIMEOUT_MS, max: MAX_READERS, resolve };
    return opening.use(
      askInTurn(createSession({ urls: servers, ...limits, makeReady: requireSchema }), servers.length),
    );
  }

  function openLanes(): Record<Visibility, Lane> {
    makePrivateDirectory(dataDir, logger);
    // Of two that write to one spool, each would send what the other keeps.
    if (access === 'serve') opening.use(lockDirectory(dataDir));
    const lane = (visibility: Visibility) => {
      const isSpooled = access === 'serve' && options.spoolRows > 0;
      return opening.use(
        createLane({
          visibility,
          session: createAppendSession({ urls: urls[visibility], visibility, timeoutMs, resolve, sign }),
          spool: isSpooled ? openSpool(`${dataDir}/${visibility}.spool`) : null,
          spoolRows: options.spoolRows,
          logger,
        }),
      );
    };
    return { public: lane('public'), private: lane('private') };
  }

  async function tryOut(visibility: Visibility): Promise<void> {
    if (urls[visibility].length === 0) return;
    try {
      await readers[visibility].run(() => Promise.resolve());
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (!fault) throw error;
      if (access === 'read') throw asked(error);
      logger.warn('log.database_away', { log: visibility, matter: fault.matter });
    }
  }

  function laneOf(visibility: Visibility): Lane {
    if (!lanes) throw new Error('The log is open for reading only.');
    return lanes[visibility];
  }

  /** A command is told what the matter is; whoever asks a service is told to ask again. */
  function asked(error: unknown): unknown {
    if (error instanceof BadCursorError || error instanceof StoreError) return error;
    const cause = withoutStatement(error);
    if (access !== 'read') return unreadable(cause);
    const fault = databaseFaultOf(error);
    return fault ? new StoreError('database', `The log cannot be read: ${fault.matter}.`, { cause }) : error;
  }

  async function reading<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw asked(error);
    }
  }

  return {
    append: async (record: CheckRecord) => {
      const { visibility } = record;
      if (!hashClient) throw stopping();
      await laneOf(visibility).add(keptCheck(record, visibility, hashClient));
    },
    markUndelivered: (visibility, requestId) => laneOf(visibility).markUndelivered(requestId),
    page: (query) => reading(() => databasePage(readers.public, query)),
    summary: (filter) => reading(() => databaseSummary(readers.public, filter)),
    walk: (query) => reading(() => readers.public.run(({ db }) => walkDatabase(db, query))),
    read: async function* (visibility, filter, together) {
      try {
        yield* readDatabase(readers[visibility], filter, together);
      } catch (error) {
        throw asked(error);
      }
    },
    tail: (visibility, filter) =>
      reading(async () => {
        const tail = await tailDatabase(readers[visibility], filter, clock);
        return { next: () => reading(tail.next) };
      }),
    find: async (visibility, requestId) => {
      const [entry] = await reading(() => readers[visibility].run(({ db }) => entriesOf(db, [requestId])));
      return entry ?? null;
    },
    stats: () => reading(stats),
    fleet: () => reading(() => readers.public.run(({ db }) => readFleet(db))),
    isAway: (visibility) => laneOf(visibility).awayFor() !== null,
    announce(judgement) {
      judge = judgement;
      return keepSigningIn(readers.public, sign, logger);
    },
    waiting: (visibility) => laneOf(visibility).waiting(),
    health: () => Promise.resolve(healthOf(laneOf('public'), laneOf('private'))),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** What all nodes have counted, asked for the less often the longer it takes. */
function restingStats(
  session: Session,
  { clock, dataDir }: Pick<PostgresLogOptions, 'clock' | 'dataDir'>,
): () => Promise<LogStats> {
  let known: { readonly stats: LogStats; readonly untilMs: number } | null = null;
  return async () => {
    const startMs = clock.monotonicMs();
    if (known && startMs < known.untilMs) return known.stats;
    const nowMs = clock.now();
    const figures = await session.run(({ db }) => readFigures(db, nowMs));
    const fleet = await session.run(({ db }) => readFleet(db));
    const stats = { ...statsOf(figures, nowMs, freeDiskPercent(dataDir)), fleet };
    const endMs = clock.monotonicMs();
    known = { stats, untilMs: endMs + Math.min(STATS_REST_MS, STATS_REST * (endMs - startMs)) };
    return stats;
  };
}

/** Nobody learns here how many private checks there are. */
function healthOf(open: Lane, hidden: Lane): Awaited<ReturnType<ScanLog['health']>> {
  const problemOf = (name: Visibility, lane: Lane) => {
    const problem = lane.problem();
    return problem === null ? null : `The ${name} log cannot be written: ${problem}.`;
  };
  const problems = { public: problemOf('public', open), private: problemOf('private', hidden) };
  const problem = problems.public ?? problems.private;
  if (problem !== null) return { problem, problems, notices: [] };
  const away = open.awayFor() ?? hidden.awayFor();
  const waiting = open.waiting();
  return {
    problem,
    problems,
    notices: [
      ...(away === null ? [] : [`Checks are kept on this node for now: ${away}.`]),
      ...(waiting === 0 ? [] : [`${waiting} public checks of this node are not in the database yet.`]),
    ],
  };
}
