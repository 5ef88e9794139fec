import type { SQL } from 'bun';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { databaseFaultOf } from './fault.ts';
import { openSeenTimelines } from './seen-timelines.ts';
import { createServerGuards } from './server-guard.ts';
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
