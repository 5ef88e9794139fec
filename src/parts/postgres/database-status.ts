import type { SQL } from 'bun';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { readRetention } from './schema/database-retention.ts';
import { checkSchema, DATABASE_STEPS, OLDEST_SCHEMA, readSchema } from './schema/schema-steps.ts';
import { databaseFaultOf, faultSentence, OutdatedServerError, withoutStatement } from './session/fault.ts';
import { isSuperseded } from './session/server-guard.ts';
import { readServerState } from './session/server-state.ts';
import { createSession, type DatabaseConnection } from './session/session.ts';

/** Status of a database for this version of the program. */
export interface DatabaseStatus {
  readonly version: string;
  /** Number of applied schema steps; 0 for a database without tables. */
  readonly schema: number;
  /** Schema versions that this program supports. */
  readonly works_with: { readonly from: number; readonly to: number };
  /** Why this version cannot use it; null if it can. */
  readonly problem: string | null;
  /** The log that it holds; null for a database that no version migrated which notes that. */
  readonly role: Visibility | null;
  /** Id that both databases share; null in a private one that no node has connected to yet. */
  readonly installation: string | null;
  /** Timeline of the server, which increases with each promotion of a standby; null without a role. */
  readonly timeline: number | null;
  /** Retention set by its owner; null without a role. */
  readonly retention: RetentionBounds | null;
  /** First and last day with a partition, as 20260131; null if there is none. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Size of the whole database, in bytes. */
  readonly bytes: number;
}

/** Reads the status of a database. */
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
    problem: server && isSuperseded(server) ? SUPERSEDED : problemOf(() => checkSchema(state)),
    role: server?.role ?? null,
    installation: server?.installation ?? null,
    timeline: server?.timeline ?? null,
    retention: server && (await readRetention({ sql })),
    days: first && last ? { from: first.day, to: last.day } : null,
    bytes: Number(size?.bytes ?? 0),
  };
}

const SUPERSEDED =
  'The server is a former primary, and another one has taken its place. Nodes and commands refuse it; make it a standby.';

function problemOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}

/** Timeout, for a whole migration. */
const TIMEOUT_MS = 600_000;

/** Admits any schema. Throws OutdatedServerError for a server that a node has marked as a former primary. */
export async function anySchema(sql: SQL): Promise<void> {
  const { version } = await readSchema(sql);
  if (version >= OLDEST_SCHEMA && isSuperseded(await readServerState(sql)))
    throw new OutdatedServerError('the database is a former primary');
}

/** Admits what a node would use. Throws StoreError and OutdatedServerError. */
export async function usableDatabase(sql: SQL): Promise<void> {
  checkSchema(await readSchema(sql));
  await anySchema(sql);
}

/**
 * Runs work on a database, over its own connection.
 *
 * @param prepare refuses databases; by default any is admitted
 * @throws StoreError `database` with the reason if it cannot be used
 */
export async function onDatabase<T>(
  url: DatabaseUrl,
  work: (connection: DatabaseConnection<unknown>) => Promise<T>,
  prepare: (sql: SQL) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  await using session = createSession({ urls: [url], timeoutMs: TIMEOUT_MS, max: 1, prepare });
  try {
    return await session.run(work);
  } catch (error) {
    const fault = databaseFaultOf(error);
    if (!fault) throw error;
    if (fault.remedy !== undefined) {
      throw new StoreError('database', `The database cannot be used: ${faultSentence(fault)}`, { cause: error });
    }
    // The database's message names tables and roles, and contains no password.
    const cause = withoutStatement(error);
    const words = cause instanceof Error ? ` (${cause.message})` : '';
    throw new StoreError('database', `The database cannot be used: ${fault.matter}${words}.`, { cause: error });
  }
}
