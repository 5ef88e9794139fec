import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import { StoreError } from '../store-error.ts';
import type { DatabaseUrl } from './session/database-url.ts';
import { databaseFaultOf, withoutStatement } from './session/fault.ts';
import { readRetention } from './session/retention-row.ts';
import { checkSchema, DATABASE_STEPS, OLDEST_SCHEMA, readSchema } from './schema/schema-steps.ts';
import { readServerState } from './session/server-state.ts';
import { createSession, type DatabaseConnection } from './session/session.ts';

/** What a database is like for this version of the program. */
export interface DatabaseStatus {
  readonly version: string;
  /** Number of the steps that the database has seen; 0 for one without tables. */
  readonly schema: number;
  /** With what this version works. */
  readonly works_with: { readonly from: number; readonly to: number };
  /** Why this version does not work with it; null where it does. */
  readonly problem: string | null;
  /** Which log it holds; null for a database that no version migrated which notes that. */
  readonly role: Visibility | null;
  /** The same in both databases; null in a private one that no node has connected to yet. */
  readonly installation: string | null;
  /** Timeline of the server, which goes up with each promotion of a standby; null where the database has no role. */
  readonly timeline: number | null;
  /** What its owner has set; null where the database has no role. */
  readonly retention: RetentionBounds | null;
  /** The days that have a partition, as 20260131; null where there is none. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Of the whole database. */
  readonly bytes: number;
}

/** Reads what a database is like. */
export async function readDatabaseStatus({ sql }: DatabaseConnection<unknown>): Promise<DatabaseStatus> {
  const state = await readSchema(sql);
  const server = state.version < OLDEST_SCHEMA ? null : await readServerState(sql);
  const [size]: { bytes: string }[] = await sql.unsafe('select pg_database_size(current_database()) as bytes');
  const days: { day: string }[] = await sql.unsafe(
    "select right(relname, 8) as day from pg_class where relname ~ '^checks_\\d{8}$' and relkind = 'r' order by 1",
  );
  const [first, last] = [days[0], days.at(-1)];
  return {
    version: VERSION,
    schema: state.version,
    works_with: { from: OLDEST_SCHEMA, to: DATABASE_STEPS.length },
    problem: problemOf(() => checkSchema(state)),
    role: server?.role ?? null,
    installation: server?.installation ?? null,
    timeline: server?.timeline ?? null,
    retention: server && (await readRetention({ sql })),
    days: first && last ? { from: first.day, to: last.day } : null,
    bytes: Number(size?.bytes ?? 0),
  };
}

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** An administrator waits as long as this for a whole migration. */
const TIMEOUT_MS = 600_000;

/**
 * Does some work on a database, over a connection of its own.
 *
 * @throws StoreError `database` with what the matter is where it cannot be used
 */
export async function onDatabase<T>(
  url: DatabaseUrl,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
): Promise<T> {
  const makeReady = () => Promise.resolve();
  await using session = createSession({ urls: [url], timeoutMs: TIMEOUT_MS, max: 1, makeReady });
  try {
    return await session.run(work);
  } catch (error) {
    const fault = databaseFaultOf(error);
    if (!fault) throw error;
    // What the database itself says names tables and roles, and holds no password.
    const cause = withoutStatement(error);
    const words = cause instanceof Error ? ` (${cause.message})` : '';
    throw new StoreError('database', `The database cannot be used: ${fault.matter}${words}.`, { cause: error });
  }
}
