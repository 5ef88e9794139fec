import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { LogStats } from '#src/checks/record/stats.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { freeDiskPercent } from '#src/checks/store/file/file-system.ts';
import { type MessageLog, storedMessageOf } from '#src/checks/store/messages/stored-message.ts';
import { readActivity } from '#src/checks/store/read/history.ts';
import { historyPage, historySummary, messagePage, walkLog } from '#src/checks/store/read/history-pages.ts';
import { type CountedHits, sumHits } from '#src/checks/store/read/list-hits.ts';
import { queriesOf } from '#src/checks/store/read/queries.ts';
import { findEntry, findMessage, readLogEntries, readMessageEntries } from '#src/checks/store/read/read-entries.ts';
import type { ReadableLog } from '#src/checks/store/read/readable-log.ts';
import { firstHourShown, hourlyCounts, readFigures, statsOf } from '#src/checks/store/read/stats.ts';
import { BadCursorError, type DatabaseLog, type LogActivity, type ScanLog } from '#src/checks/store/scan-log.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { type ClientHash, openClientHash } from '#src/checks/store/write/client-hash.ts';
import { notReadableError, stoppingError } from '#src/checks/store/write/log-errors.ts';
import { storedCheckOf } from '#src/checks/store/write/stored-check.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { leadJob, takeJob } from './jobs.ts';
import { readFleet } from './nodes/read-nodes.ts';
import { readBlockedNames } from './read/blocked-names.ts';
import { DATABASE_TABLES, databaseHits, missingIn, readDatabase, tailDatabase } from './read/read-database.ts';
import { openReaders, type Readers } from './read/readers.ts';
import { databaseFaultOf, faultSentence, sqlStateOf, withoutStatement } from './session/fault.ts';
import { createServerGuards, openSeenTimelines, type ServerGuard } from './session/server-guard.ts';
import type { Session } from './session/session.ts';
import type { WriteQueue } from './session/write-queue.ts';
import { readVersions } from './shared-documents.ts';
import { openWriters, type Writers } from './writers.ts';

/** Statistics are cached for this multiple of the time that they took, at most a minute. */
const STATS_AGE_FACTOR = 10;
const MAX_STATS_AGE_MS = 60_000;

/** Options of the PostgreSQL logs. */
export interface PostgresLogOptions extends DatabaseAccess {
  /** Servers of each log, tried in turn; empty if that log is not used. A service may replace what the lists contain. */
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly access: 'serve' | 'append' | 'read';
  /** Folder of the spools. */
  readonly dataDir: string;
  /** Key for client hashes; by default one in the data directory. */
  readonly clientKey?: Buffer | null;
  readonly nodeName: string;
  /** How long a check waits for the database, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of spooled checks per database; 0 refuses them instead. */
  readonly spoolRows: number;
  /** Clock offset against the database, in milliseconds, beyond which checks are refused; unlimited by default. */
  readonly maxOffsetMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Opens the logs in their databases. If one is unavailable, checks wait or are spooled; only a wrong schema is refused.
 *
 * @throws StoreError if a schema does not match, or the data directory cannot be used
 */
export async function openPostgresLog(options: PostgresLogOptions): Promise<DatabaseLog> {
  const { access, clock, logger, dataDir, urls, resolve, turns, nodeName } = options;
  const jobs = { urls, dataDir, resolve, turns };
  await using opening = new AsyncDisposableStack();
  const unread = new Set<string>();
  const guards = createServerGuards({ urls, resolve, seen: openSeenTimelines(dataDir), logger });
  const readers = opening.use(openReaders(urls, guards, resolve));
  const reads = { public: readDatabase(readers.public, true), private: readDatabase(readers.private, false) };
  const isService = access === 'serve';
  const writers = access === 'read' ? null : opening.use(await openWriters({ ...options, guards, isService }));
  const hashClient = access === 'read' ? null : openClientHash(dataDir, options.clientKey);
  if (!writers) await readEach();
  const closing = opening.move();
  const stats = cached(clock, (nowMs) => statsIn(readers.slow, dataDir, nowMs));
  const activity = cached(clock, (nowMs) => activityIn(readers.slow, nowMs));

  async function readEach(): Promise<void> {
    for (const visibility of ['public', 'private'] as const) {
      if (urls[visibility].length > 0) await reading(() => readers[visibility].run(() => Promise.resolve()));
    }
  }

  function writing(): Writers {
    if (!writers) throw new Error('the log is open for reading only');
    return writers;
  }

  /** Converts a read error: commands get the reason, clients of a service are asked to retry. */
  function asked(error: unknown, what: 'history' | 'statistics' = 'history'): unknown {
    if (error instanceof BadCursorError || error instanceof StoreError) return error;
    const cause = withoutStatement(error);
    const fault = databaseFaultOf(error);
    if (access !== 'read') {
      reportUnread(what, fault?.matter ?? 'it fails', sqlStateOf(error));
      return notReadableError(what, cause);
    }
    return fault ? new StoreError('database', `The log cannot be read: ${faultSentence(fault)}`, { cause }) : error;
  }

  /** Logs once per reason, until reading succeeds again. */
  function reportUnread(what: string, matter: string, state: string | null): void {
    const reason = `${what} ${state}`;
    if (unread.has(reason)) return;
    unread.add(reason);
    logger.warn('log.not_read', { what, matter, state });
  }

  async function reading<T>(query: () => Promise<T>, what?: 'statistics'): Promise<T> {
    try {
      const found = await query();
      for (const reason of unread) if (reason.startsWith(what ?? 'history')) unread.delete(reason);
      return found;
    } catch (error) {
      throw asked(error, what);
    }
  }

  return {
    append: async (record: CheckRecord) => {
      const { visibility } = record;
      if (!hashClient) throw stoppingError();
      await writing().queues[visibility].add(storedCheckOf(record, visibility, hashClient));
    },
    messages: openMessages(reads, { writers: writing, hashClient, read: reading, toError: asked }),
    markUndelivered: (visibility, requestId) => writing().queues[visibility].markUndelivered(requestId),
    page: (query, visibility = 'public') => reading(() => historyPage(reads[visibility], query)),
    summary: (filter) => reading(() => historySummary(reads.public, filter)),
    // Nodes may write the private log and not read it.
    activity: (visibility) => (visibility === 'private' ? Promise.resolve(null) : reading(activity, 'statistics')),
    walk: (query) => reading(() => walkLog(reads.public, query)),
    read: async function* (visibility, filter, together) {
      try {
        yield* readLogEntries(reads[visibility], filter, together);
      } catch (error) {
        throw asked(error);
      }
    },
    tail: (visibility, filter) =>
      reading(async () => {
        const tail = await tailDatabase(readers[visibility], filter, clock);
        return { next: () => reading(tail.next) };
      }),
    find: (visibility, requestId) => reading(() => findEntry(reads[visibility], requestId)),
    missing: (visibility, ids) => reading(() => missingIn(readers[visibility], ids)),
    listHits: (sinceMs) =>
      reading(async () => {
        const counts: CountedHits = new Map();
        for (const [session, servers] of [
          [readers.slow, urls.public],
          [readers.private, urls.private],
        ] as const)
          if (servers.length > 0) for await (const some of databaseHits(session, sinceMs)) sumHits(counts, some);
        return counts;
      }, 'statistics'),
    stats: () => reading(stats, 'statistics'),
    sharedVersions: () => readers.public.run(({ db }) => readVersions(db)),
    takeJob: (name, dueAtMs) => takeJob(jobs, { name, dueAtMs, begunBy: nodeName }),
    lead: (name) => leadJob(jobs, name, nodeName),
    fleet: () => reading(() => readers.slow.run(({ db }) => readFleet(db)), 'statistics'),
    isUnavailable: (visibility) => writing().queues[visibility].unavailableReason() !== null,
    announce: (configuration) => writing().announce(configuration),
    waiting: (visibility) => writing().queues[visibility].waiting(),
    setAside: (visibility) => writing().queues[visibility].setAside(),
    renew: () => renewAll(readers, writing()),
    health: () => Promise.resolve(healthOf(writing(), guards)),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Writes and reads of the checks of messages. */
interface MessageAccess {
  readonly writers: () => Writers;
  /** Null for a log that is open for reading only. */
  readonly hashClient: ClientHash | null;
  readonly read: <T>(query: () => Promise<T>) => Promise<T>;
  readonly toError: (error: unknown) => unknown;
}

function openMessages(
  reads: Readonly<Record<Visibility, ReadableLog>>,
  { writers, hashClient, read, toError }: MessageAccess,
): MessageLog {
  return {
    async append(message) {
      if (!hashClient) throw stoppingError();
      await writers().queues[message.visibility].add(storedMessageOf(message, hashClient));
    },
    // Request ids of both kinds of checks are in one table of undelivered ones.
    markUndelivered: (visibility, requestId) => writers().queues[visibility].markUndelivered(requestId),
    page: (query, visibility) => read(() => messagePage(reads[visibility], query)),
    read: async function* (visibility, filter) {
      try {
        yield* readMessageEntries(reads[visibility], filter);
      } catch (error) {
        throw toError(error);
      }
    },
    find: (visibility, requestId) => read(() => findMessage(reads[visibility], requestId)),
  };
}

function renewAll({ public: shown, private: hidden, slow }: Readers, { queues }: Writers): void {
  for (const session of [shown, hidden, slow, ...Object.values(queues)]) session.renew();
}

/** Returns statistics, cached the longer the more time they took. */
function cached<T>(clock: Clock, read: (nowMs: number) => Promise<T>): () => Promise<T> {
  let known: { readonly value: T; readonly untilMs: number } | null = null;
  return async () => {
    const startMs = clock.monotonicMs();
    if (known && startMs < known.untilMs) return known.value;
    const value = await read(clock.now());
    const endMs = clock.monotonicMs();
    known = { value, untilMs: endMs + Math.min(MAX_STATS_AGE_MS, STATS_AGE_FACTOR * (endMs - startMs)) };
    return value;
  };
}

/** Reads the statistics of all nodes. */
async function statsIn(session: Session, dataDir: string, nowMs: number): Promise<LogStats> {
  const figures = await session.run(async ({ db }) => {
    const counts = readFigures(queriesOf(db), DATABASE_TABLES, nowMs);
    const [counted, names] = await Promise.all([counts, readBlockedNames(db)]);
    return { ...counted, ...names };
  });
  const fleet = await session.run(({ db }) => readFleet(db));
  return { ...statsOf(figures, nowMs, freeDiskPercent(dataDir)), fleet };
}

/** Reads the last 24 hours of all nodes. */
async function activityIn(session: Session, nowMs: number): Promise<LogActivity> {
  return await session.run(async ({ db }) => {
    const queries = queriesOf(db);
    const hourly = await hourlyCounts(queries, DATABASE_TABLES.counts, 'decision_by_hour', firstHourShown(nowMs));
    return await readActivity(queries, DATABASE_TABLES, hourly, nowMs);
  });
}

const OUTDATED_SERVER = notice(
  'database_outdated',
  'A former primary answers beside the server that took its place: fence it off, or make it a standby.',
);

/** Returns the health of both logs. */
function healthOf(
  { queues, notices }: Writers,
  guards: Readonly<Record<Visibility, ServerGuard>>,
): Awaited<ReturnType<ScanLog['health']>> {
  const problemOf = (name: Visibility) => {
    const problem = queues[name].problem();
    return problem === null ? null : `The ${name} log cannot be written: ${problem}.`;
  };
  const problems = { public: problemOf('public'), private: problemOf('private') };
  const problem = problems.public ?? problems.private;
  const noticesOf = { public: noticesIn('public'), private: noticesIn('private') };
  if (problem !== null) return { problem, problems, notices: [], noticesOf: { public: [], private: [] } };
  const distinct = new Map([...noticesOf.public, ...noticesOf.private].map((one) => [one.text, one]));
  return { problem, problems, notices: [...distinct.values(), ...notices()], noticesOf };

  function noticesIn(name: Visibility): Notice[] {
    const cause = queues[name].unavailableReason();
    const spooled = cause !== null && notice('checks_spooled', `Checks are spooled on this node: ${cause}.`, { cause });
    const queued = name === 'public' ? publicQueue(queues.public) : privateQueue(queues.private);
    return [spooled, ...queued, guards[name].hasOutdated && OUTDATED_SERVER].filter((one) => one !== false);
  }
}

/** Returns notices on checks that wait for the database, or that it refused. */
function publicQueue(queue: WriteQueue): Notice[] {
  const [waiting, setAside] = [queue.waiting(), queue.setAside()];
  const late = `${counted(waiting, 'public check')} of this node ${waiting === 1 ? 'is' : 'are'} not in the database yet.`;
  const refused = `The database refused ${counted(setAside, 'answered public check')} of this node: lurecheck nodes spool list.`;
  return [
    ...(waiting > 0 ? [notice('checks_waiting', late, { count: waiting })] : []),
    ...(setAside > 0 ? [notice('checks_refused', refused, { count: setAside })] : []),
  ];
}

const PRIVATE_WAITING = notice('private_checks_waiting', 'Private checks of this node are not in the database yet.');

const PRIVATE_REFUSED = notice(
  'private_checks_refused',
  'The database refused answered private checks of this node: lurecheck nodes spool list.',
);

/** Returns the same of private checks, whose number nobody else may know. */
function privateQueue(queue: WriteQueue): Notice[] {
  return [...(queue.waiting() > 0 ? [PRIVATE_WAITING] : []), ...(queue.setAside() > 0 ? [PRIVATE_REFUSED] : [])];
}
