import type { SQL } from 'bun';
import type { DatabaseAccess, ResolveHost } from '#src/checks/store/database-access.ts';
import { type DatabaseUrl, showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { databaseFaultOf, faultSentence, isAway } from './fault.ts';
import { createServerGuards, openSeenTimelines, type SeenTimelines } from './server-guard.ts';
import { createSession, type DatabaseConnection } from './session.ts';

/** Timeout of connecting and of a statement. */
const TIMEOUT_MS = 10_000;

/** Databases of an installation. */
export interface PublicPrimary extends DatabaseAccess {
  /** Servers of each log, tried in turn. */
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  /** Folder with the timelines that this host has seen. */
  readonly dataDir: string;
}

/**
 * Runs work on the writable server of a log, over its own connection. If it fails with one server, it is repeated with
 * the next.
 *
 * @param timeoutMs timeout of connecting and of a statement
 */
export async function onPrimary<T>(
  visibility: Visibility,
  place: PublicPrimary,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const connectAndWork = () => connectTo(visibility, place, work, timeoutMs);
  return await (place.turns ? place.turns.run(connectAndWork) : connectAndWork());
}

async function connectTo<T>(
  visibility: Visibility,
  { urls, dataDir, resolve }: PublicPrimary,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const logger = createLogger('error', () => {});
  const guard = createServerGuards({ urls, resolve, seen: openSeenTimelines(dataDir), logger })[visibility];
  const prepare = (sql: SQL, url: DatabaseUrl) => guard.admit(sql, url, 'write', timeoutMs);
  let failure: unknown = new Error('no database is named');
  for (const url of urls[visibility]) {
    await using session = createSession({ urls: [url], timeoutMs, max: 1, resolve, prepare });
    try {
      return await session.run(work);
    } catch (error) {
      if (!databaseFaultOf(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Runs work on the writable server of the public log. */
export function onPublicPrimary<T>(
  place: PublicPrimary,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
): Promise<T> {
  return onPrimary('public', place, work);
}

/** The same of a trial. */
const TRIAL_TIMEOUT_MS = 3000;

/**
 * Connects to each server of both logs. Returns why one of them cannot be used, as a sentence for the operator, or that none of
 * a log answers; null if they can.
 */
export async function tryServers(
  urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>,
  seen: SeenTimelines,
  resolve: ResolveHost | undefined,
): Promise<string | null> {
  const guards = createServerGuards({ urls, resolve, seen, logger: createLogger('error', () => {}) });
  for (const visibility of VISIBILITIES) {
    let away: string | null = null;
    let reached = 0;
    for (const url of urls[visibility]) {
      const session = createSession({
        ...{ urls: [url], timeoutMs: TRIAL_TIMEOUT_MS, max: 1, resolve },
        prepare: (sql, server) => guards[visibility].admit(sql, server, 'read', TRIAL_TIMEOUT_MS),
      });
      await using _closing = session;
      const problem = await problemOf(session.run(() => Promise.resolve()));
      if (problem === null) reached++;
      else if (problem.isAway) away = `${showDatabaseUrl(url)}: ${problem.matter}`;
      else return `${showDatabaseUrl(url)}: ${problem.matter}`;
    }
    if (reached === 0 && away !== null) return away;
  }
  return null;
}

async function problemOf(
  work: Promise<unknown>,
): Promise<{ readonly matter: string; readonly isAway: boolean } | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof StoreError) return { matter: error.message, isAway: false };
    const fault = databaseFaultOf(error);
    if (!fault) throw error;
    return { matter: faultSentence(fault), isAway: isAway(fault) };
  }
}
