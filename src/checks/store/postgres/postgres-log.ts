import type { Clock } from '#src/core/base/clock.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { LogStats } from '#src/checks/record/stats.ts';
import { freeDiskPercent } from '../file/file-system.ts';
import { statsOf } from '../read/stats.ts';
import { BadCursorError, type DatabaseLog, type ScanLog } from '../scan-log.ts';
import { StoreError } from '../store-error.ts';
import { openClientHash } from '../write/client-hash.ts';
import { keptCheck } from '../write/stored-check.ts';
import { stopping, unreadable } from '../write/log-errors.ts';
import { readFigures } from './read/database-stats.ts';
import type { DatabaseUrl } from './session/database-url.ts';
import { databaseFaultOf, withoutStatement } from './session/fault.ts';
import { entriesOf } from './read/find-in-database.ts';
import { databasePage, databaseSummary, readDatabase, tailDatabase } from './read/read-database.ts';
import { readFleet } from './nodes/read-nodes.ts';
import { openReaders } from './read/readers.ts';
import { openSeenTimelines } from './session/seen-timelines.ts';
import { createServerGuards, type ServerGuard } from './session/server-guard.ts';
import type { ResolveHost, Session } from './session/session.ts';
import { readSharedAfter } from './shared/shared-documents.ts';
import { walkDatabase } from './read/walk-database.ts';
import { openWriters, type Writers } from './writers.ts';

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
  /** Milliseconds by which the clock of this node may differ from the database's before checks are refused; any by default. */
  readonly maxOffsetMs?: number;
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
  const { access, clock, logger, dataDir, urls, resolve } = options;
  await using opening = new AsyncDisposableStack();
  const guards = createServerGuards({ urls, resolve, seen: openSeenTimelines(dataDir, access === 'serve'), logger });
  const readers = opening.use(openReaders(urls, guards, resolve));
  const isService = access === 'serve';
  const writers = access === 'read' ? null : opening.use(await openWriters({ ...options, guards, isService }));
  const hashClient = access === 'read' ? null : openClientHash(dataDir, options.clientKey);
  if (!writers) await readEach();
  const closing = opening.move();
  const stats = restingStats(readers.slow, options);

  async function readEach(): Promise<void> {
    for (const visibility of ['public', 'private'] as const) {
      if (urls[visibility].length > 0) await reading(() => readers[visibility].run(() => Promise.resolve()));
    }
  }

  function writing(): Writers {
    if (!writers) throw new Error('the log is open for reading only');
    return writers;
  }

  /** A command is told what the matter is; whoever asks a service is told to ask again. */
  function asked(error: unknown, what: 'history' | 'statistics' = 'history'): unknown {
    if (error instanceof BadCursorError || error instanceof StoreError) return error;
    const cause = withoutStatement(error);
    if (access !== 'read') return unreadable(what, cause);
    const fault = databaseFaultOf(error);
    return fault ? new StoreError('database', `The log cannot be read: ${fault.matter}.`, { cause }) : error;
  }

  async function reading<T>(query: () => Promise<T>, what?: 'statistics'): Promise<T> {
    try {
      return await query();
    } catch (error) {
      throw asked(error, what);
    }
  }

  return {
    append: async (record: CheckRecord) => {
      const { visibility } = record;
      if (!hashClient) throw stopping();
      await writing().lanes[visibility].add(keptCheck(record, visibility, hashClient));
    },
    markUndelivered: (visibility, requestId) => writing().lanes[visibility].markUndelivered(requestId),
    page: (query, visibility = 'public') => reading(() => databasePage(readers[visibility], query)),
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
    stats: () => reading(stats, 'statistics'),
    readShared: (seal, name, known) =>
      reading(() => readers.public.run(({ db }) => readSharedAfter(db, seal, name, known))),
    fleet: () => reading(() => readers.slow.run(({ db }) => readFleet(db)), 'statistics'),
    isAway: (visibility) => writing().lanes[visibility].awayFor() !== null,
    announce: (judgement) => writing().announce(judgement),
    waiting: (visibility) => writing().lanes[visibility].waiting(),
    setAside: (visibility) => writing().lanes[visibility].setAside(),
    health: () => Promise.resolve(healthOf(writing(), guards)),
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

const OUTDATED_SERVER =
  'A former primary answers beside the server that took its place: fence it off, or make it a standby.';

/** Nobody learns here how many private checks there are. */
function healthOf(
  { lanes, notices }: Writers,
  guards: Readonly<Record<Visibility, ServerGuard>>,
): Awaited<ReturnType<ScanLog['health']>> {
  const problemOf = (name: Visibility) => {
    const problem = lanes[name].problem();
    return problem === null ? null : `The ${name} log cannot be written: ${problem}.`;
  };
  const problems = { public: problemOf('public'), private: problemOf('private') };
  const problem = problems.public ?? problems.private;
  if (problem !== null) return { problem, problems, notices: [] };
  const away = lanes.public.awayFor() ?? lanes.private.awayFor();
  const [waiting, setAside] = [lanes.public.waiting(), lanes.public.setAside()];
  const said: readonly (readonly [boolean, string])[] = [
    [away !== null, `Checks are kept on this node for now: ${away}.`],
    [waiting > 0, `${waiting} public checks of this node are not in the database yet.`],
    [
      setAside > 0,
      `The database refused ${counted(setAside, 'answered public check')} of this node: lurecheck spool list.`,
    ],
    [guards.public.hasOutdated || guards.private.hasOutdated, OUTDATED_SERVER],
  ];
  return { problem, problems, notices: [...said.flatMap(([isSo, text]) => (isSo ? [text] : [])), ...notices()] };
}
