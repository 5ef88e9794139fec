import type { SQL } from 'bun';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { DatabaseUrl } from './database-url.ts';
import { databaseFaultOf } from './fault.ts';
import { openSeenTimelines } from './seen-timelines.ts';
import { createServerGuards } from './server-guard.ts';
import { createSession, type DatabaseConnection, type ResolveHost } from './session.ts';

/** How long a statement may take, and a connection to be made. */
const TIMEOUT_MS = 10_000;

/** Where the databases of an installation are. */
export interface PublicPrimary {
  /** Each a list of servers that are tried in turn. */
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  /** Where the timelines are that this machine has seen. */
  readonly dataDir: string;
  readonly resolve?: ResolveHost | undefined;
}

/**
 * Does some work on the server of the public log that takes changes, over a connection of its own. Work that fails with a
 * server is done again with the next one.
 */
export async function onPublicPrimary<T>(
  { urls, dataDir, resolve }: PublicPrimary,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
): Promise<T> {
  const logger = createLogger('error', () => {});
  const guard = createServerGuards({ urls, resolve, seen: openSeenTimelines(dataDir, false), logger }).public;
  const makeReady = (sql: SQL, url: DatabaseUrl) => guard.admit(sql, url, 'write', TIMEOUT_MS);
  let failure: unknown = new Error('no database is named');
  for (const url of urls.public) {
    await using session = createSession({ urls: [url], timeoutMs: TIMEOUT_MS, max: 1, resolve, makeReady });
    try {
      return await session.run(work);
    } catch (error) {
      if (!databaseFaultOf(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}
