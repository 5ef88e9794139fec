import type { RetentionBounds } from '#src/checks/record/stats.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { HOUR_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { foldBlocked } from '../read/blocked-names.ts';
import { databaseFaultOf, sqlStateOf } from '../session/fault.ts';
import { onPrimary, onPublicPrimary, type PublicPrimary } from '../session/public-primary.ts';
import type { DatabaseConnection } from '../session/session.ts';
import { pgRetention } from './tables.ts';

/** Timeout; dropping a day is quick but waits for readers. */
const TIMEOUT_MS = 60_000;

/** Interval at which counts are folded if necessary. */
const FOLD_EVERY_MS = 60_000;

/**
 * Maximum number of folds, each a transaction, before other upkeep runs; the rest of a backlog waits for the next
 * minute.
 */
const FOLDS_A_TURN = 400;

/** Options of the upkeep. */
export interface DatabaseRetention extends PublicPrimary {
  readonly logger: Logger;
}

/**
 * Creates partitions for coming days and drops what exceeds the bounds of each database, now and hourly, and folds
 * counts every minute. One node at a time does it, by the database's clock.
 */
export function startDatabaseRetention(options: DatabaseRetention) {
  const { logger } = options;
  let bounds: RetentionBounds | null = null;
  const loggedBounds = new Map<Visibility, RetentionBounds>();
  let isClosing = false;
  const loggedFailures = new Map<Visibility, string>();

  /** Logs the bounds at first, and when their owner changed them. */
  function logBounds(visibility: Visibility, { days, bytes, rows }: RetentionBounds): void {
    const read = { days, bytes, rows };
    if (Bun.deepEquals(loggedBounds.get(visibility), read)) return;
    loggedBounds.set(visibility, read);
    const fields = { retention_days: days ?? 0, retention_bytes: bytes ?? 0, retention_rows: rows ?? 0 };
    logger.info('log.bounds', { log: visibility, of: 'database', ...fields });
  }

  async function maintainOne(visibility: Visibility): Promise<void> {
    try {
      const remaining = await dropExpiredDays(visibility, options);
      if (visibility === 'public') await forgetNodes(options);
      if (visibility === 'public') bounds = remaining.bounds;
      logBounds(visibility, remaining.bounds);
      loggedFailures.delete(visibility);
      if (remaining.removed > 0) logger.info('log.purged', { visibility, days: remaining.removed });
    } catch (error) {
      logFailure(visibility, error);
    }
  }

  async function maintainBoth(): Promise<void> {
    for (const visibility of VISIBILITIES) await maintainOne(visibility);
  }

  async function fold(): Promise<void> {
    try {
      const foldAll = async (connection: DatabaseConnection<unknown>) => {
        // Changes of what the nodes share do not wait for a backlog.
        for (let step = 0; step < FOLDS_A_TURN && !isClosing && options.turns?.isAwaited !== true; step++) {
          if ((await foldBlocked(connection)) === 0) return;
        }
      };
      await onPrimary('public', options, foldAll, TIMEOUT_MS);
    } catch (error) {
      logFailure('public', error);
    }
  }

  /** Logs a failure once per reason, until the upkeep of that log succeeds. */
  function logFailure(visibility: Visibility, error: unknown): void {
    const state = sqlStateOf(error);
    if (loggedFailures.get(visibility) === String(state)) return;
    loggedFailures.set(visibility, String(state));
    const matter = databaseFaultOf(error)?.matter ?? 'it fails';
    logger.warn('log.purge_failed', { visibility, matter, state });
  }

  let underWay = maintainBoth().then(fold);
  const next = (work: () => Promise<void>) => {
    underWay = underWay.then(work);
    return underWay;
  };
  const timers = [setInterval(() => next(maintainBoth), HOUR_MS), setInterval(() => next(fold), FOLD_EVERY_MS)];
  return {
    /** Bounds of the public log; null until they are read. */
    bounds: () => bounds,
    /** Runs the hourly upkeep now. */
    runNow: () => next(maintainBoth),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      for (const timer of timers) clearInterval(timer);
      await underWay;
    },
  };
}

/** Drops expired days one by one, so that no check waits for more than one. */
export async function dropExpiredDays(
  visibility: Visibility,
  place: PublicPrimary,
): Promise<{ readonly removed: number; readonly bounds: RetentionBounds }> {
  const keep = async (connection: DatabaseConnection<unknown>) => {
    const bounds = await readRetention(connection);
    for (let removed = 0; ; removed++) {
      const rows: { dropped: number }[] = await connection.sql.unsafe('select maintain_checks() as dropped');
      if ((rows[0]?.dropped ?? 0) === 0) return { removed, bounds };
    }
  };
  return await onPrimary(visibility, place, keep, TIMEOUT_MS);
}

/** Removes nodes without a heartbeat for a week, and shared files that no document names. */
export async function forgetNodes(place: PublicPrimary): Promise<void> {
  await onPublicPrimary(
    place,
    async ({ sql }) => void (await sql.unsafe('select forget_nodes(), forget_shared_files()')),
  );
}

/** Columns that a database's owner sets, by the setting for logs in files. */
export const RETENTION_COLUMNS = { retention_days: 'days', retention_bytes: 'bytes', retention_rows: 'rows' } as const;

/** The name of a bound. */
export type RetentionKey = keyof typeof RETENTION_COLUMNS;

type Database = Pick<DatabaseConnection<unknown>, 'db'>;

/** Reads the bounds of a log; null is unlimited. */
export async function readRetention({ db }: Database): Promise<RetentionBounds> {
  const { days, bytes, rows } = pgRetention;
  const [row] = await db.select({ days, bytes, rows }).from(pgRetention);
  if (!row) throw new StoreError('older_version', 'The database has no bounds. Run lurecheck database migrate.');
  return { days: row.days || null, bytes: row.bytes || null, rows: row.rows || null };
}

/** Sets bounds; 0 is unlimited. Only the owner of the database may. */
export async function setRetention({ db }: Database, bounds: ReadonlyMap<RetentionKey, number>): Promise<void> {
  await db.update(pgRetention).set(Object.fromEntries([...bounds].map(([key, to]) => [RETENTION_COLUMNS[key], to])));
}
