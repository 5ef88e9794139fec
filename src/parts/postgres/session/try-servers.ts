import type { ResolveHost } from '#src/checks/store/database-access.ts';
import { type DatabaseUrl, showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { databaseFaultOf, faultSentence, isAway } from './fault.ts';
import type { SeenTimelines } from './seen-timelines.ts';
import { createServerGuards } from './server-guard.ts';
import { createSession } from './session.ts';

/** Timeout of connecting and of a statement. */
const TIMEOUT_MS = 3000;

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
        ...{ urls: [url], timeoutMs: TIMEOUT_MS, max: 1, resolve },
        prepare: (sql, server) => guards[visibility].admit(sql, server, 'read', TIMEOUT_MS),
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
