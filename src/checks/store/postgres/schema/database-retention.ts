import type { SQL } from 'bun';
import { HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import { foldBlocked } from '../read/blocked-names.ts';
import type { DatabaseUrl } from '../session/database-url.ts';
import { databaseFaultOf, StandbyError, sqlStateOf } from '../session/fault.ts';
import { readRetention } from '../session/retention-row.ts';
import { readServerState } from '../session/server-state.ts';
import { createSession, type DatabaseConnection, type ResolveHost } from '../session/session.ts';

/** A day is dropped in a moment, but whoever reads is waited for. */
const TIMEOUT_MS = 60_000;

/** How often it is looked whether counts have to be folded. */
const FOLD_EVERY_MS = 60_000;

/** Folds, each a transaction of its own, before the other upkeep has a turn: of a backlog, the rest waits for the next minute. */
const FOLDS_A_TURN = 400;

/** Where the upkeep of both databases is done. */
export interface DatabaseRetention {
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly resolve?: ResolveHost | undefined;
  readonly logger: Logger;
}

/** The upkeep of both databases. */
export interface DatabaseUpkeep extends AsyncDisposable {
  /** The bounds of the public log; null before they were read. */
  bounds(): RetentionBounds | null;
  /** Does without delay what is done every hour. */
  keepNow(): Promise<void>;
}

/**
 * Makes room for the days to come and drops what is beyond the bounds that each database holds, now and every hour, and folds
 * counts every minute. Of all nodes one does it at a time, by the database's clock.
 */
export function startDatabaseRetention(options: DatabaseRetention): DatabaseUpkeep {
  const { urls, resolve, logger } = options;
  let bounds: RetentionBounds | null = null;
  const toldBounds = new Map<Visibility, RetentionBounds>();
  let isClosing = false;
  const toldFailures = new Map<Visibility, string>();

  /** At first, and when their owner has changed them. */
  function tellBounds(visibility: Visibility, { days, bytes, rows }: RetentionBounds): void {
    const read = { days, bytes, rows };
    if (Bun.deepEquals(toldBounds.get(visibility), read)) return;
    toldBounds.set(visibility, read);
    const fields = { retention_days: days ?? 0, retention_bytes: bytes ?? 0, retention_rows: rows ?? 0 };
    logger.info('log.bounds', { log: visibility, of: 'database', ...fields });
  }

  async function keepOne(visibility: Visibility): Promise<void> {
    try {
      const kept = await keepDays(urls[visibility], resolve);
      if (visibility === 'public') await forgetNodes(urls.public, resolve);
      if (visibility === 'public') bounds = kept.bounds;
      tellBounds(visibility, kept.bounds);
      toldFailures.delete(visibility);
      if (kept.removed > 0) logger.info('log.purged', { visibility, days: kept.removed });
    } catch (error) {
      tellFailure(visibility, error);
    }
  }

  async function keepBoth(): Promise<void> {
    for (const visibility of VISIBILITIES) await keepOne(visibility);
  }

  async function fold(): Promise<void> {
    try {
      await onPrimary(urls.public, resolve, async (connection) => {
        for (let step = 0; step < FOLDS_A_TURN && !isClosing; step++) {
          if ((await foldBlocked(connection)) === 0) return;
        }
      });
    } catch (error) {
      tellFailure('public', error);
    }
  }

  /** Once for each reason, until the upkeep of that log is well again. */
  function tellFailure(visibility: Visibility, error: unknown): void {
    const state = sqlStateOf(error);
    if (toldFailures.get(visibility) === String(state)) return;
    toldFailures.set(visibility, String(state));
    const matter = databaseFaultOf(error)?.matter ?? 'it fails';
    logger.warn('log.purge_failed', { visibility, matter, state });
  }

  let underWay = keepBoth().then(fold);
  const next = (work: () => Promise<void>) => {
    underWay = underWay.then(work);
    return underWay;
  };
  const timers = [setInterval(() => next(keepBoth), HOUR_MS), setInterval(() => next(fold), FOLD_EVERY_MS)];
  return {
    bounds: () => bounds,
    keepNow: () => next(keepBoth),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      for (const timer of timers) clearInterval(timer);
      await underWay;
    },
  };
}

/** Drops one day after the other that is over, each for itself, so that no check waits for more than one. */
export async function keepDays(
  urls: readonly DatabaseUrl[],
  resolve?: ResolveHost | undefined,
): Promise<{ readonly removed: number; readonly bounds: RetentionBounds }> {
  return await onPrimary(urls, resolve, async (connection) => {
    const bounds = await readRetention(connection);
    for (let removed = 0; ; removed++) {
      const rows: { dropped: number }[] = await connection.sql.unsafe('select maintain_checks() as dropped');
      if ((rows[0]?.dropped ?? 0) === 0) return { removed, bounds };
    }
  });
}

/** Removes what the public database knows of nodes that sent no heartbeat for a week. */
export async function forgetNodes(urls: readonly DatabaseUrl[], resolve?: ResolveHost | undefined): Promise<void> {
  await onPrimary(urls, resolve, async ({ sql }) => void (await sql.unsafe('select forget_nodes()')));
}

async function onPrimary<T>(
  urls: readonly DatabaseUrl[],
  resolve: ResolveHost | undefined,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
): Promise<T> {
  const makeReady = async (sql: SQL) => {
    if ((await readServerState(sql)).isStandby) throw new StandbyError('the database is a standby');
  };
  await using session = createSession({ urls, timeoutMs: TIMEOUT_MS, max: 1, resolve, makeReady });
  return await session.run(work);
}
