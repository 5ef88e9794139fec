import { HOUR_MS } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { requirePrimary } from './append-session.ts';
import type { DatabaseUrl } from './database-url.ts';
import { databaseFaultOf } from './fault.ts';
import { createSession, type ResolveHost } from './session.ts';

/** A day is dropped in a moment, but whoever reads is waited for. */
const TIMEOUT_MS = 60_000;

/** How long checks stay in their databases. */
export interface DatabaseRetention {
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  /** Whole days; 0 keeps them for good. */
  readonly days: number;
  readonly resolve?: ResolveHost | undefined;
  readonly logger: Logger;
}

/**
 * Makes room for the days to come and drops those that are over, now and every hour, until it is disposed of. Of all nodes
 * one does it at a time, by the database's clock.
 */
export function startDatabaseRetention(options: DatabaseRetention): AsyncDisposable {
  let underWay = keepBoth(options);
  const timer = setInterval(() => {
    underWay = underWay.then(() => keepBoth(options));
  }, HOUR_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await underWay;
    },
  };
}

async function keepBoth(options: DatabaseRetention): Promise<void> {
  await keepOne('public', options);
  await keepOne('private', options);
}

async function keepOne(visibility: Visibility, { urls, days, resolve, logger }: DatabaseRetention): Promise<void> {
  try {
    const removed = await keepDays(urls[visibility], days, resolve);
    if (removed > 0) logger.info('log.purged', { visibility, days: removed });
  } catch (error) {
    logger.warn('log.purge_failed', { visibility, matter: databaseFaultOf(error)?.matter ?? 'it fails' });
  }
}

/** Drops one day after the other that is over, each for itself, so that no check waits for more than one. Their number. */
export async function keepDays(
  urls: readonly DatabaseUrl[],
  days: number,
  resolve?: ResolveHost | undefined,
): Promise<number> {
  await using session = createSession({ urls, timeoutMs: TIMEOUT_MS, max: 1, resolve, makeReady: requirePrimary });
  for (let removed = 0; ; removed++) {
    const dropped = await session.run(async ({ sql }) => {
      const rows: { dropped: number }[] = await sql.unsafe('select keep_checks($1) as dropped', [days]);
      return rows[0]?.dropped ?? 0;
    });
    if (dropped === 0) return removed;
  }
}
