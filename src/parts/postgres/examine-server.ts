import type { SQL } from 'bun';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { RetentionBounds } from '#src/checks/record/stats.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { readRetention } from './schema/database-retention.ts';
import { checkSchema, DATABASE_STEPS, OLDEST_SCHEMA, readSchema } from './schema/schema-steps.ts';
import { databaseFaultOf, faultSentence, OutdatedServerError, sqlStateOf, withoutStatement } from './session/fault.ts';
import { createServerGuards, isSuperseded, openSeenTimelines, readServerState } from './session/server-guard.ts';
import { createSession, type DatabaseConnection } from './session/session.ts';
import { createContentSeal, readShared, readVersions } from './shared-documents.ts';

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
export async function readDatabaseStatus({ sql, db }: DatabaseConnection<unknown>): Promise<DatabaseStatus> {
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
    retention: server && (await readRetention({ db })),
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

const EXAMINATION_TIMEOUT_MS = 5000;

/** Result of examining a log's server. */
export interface DatabaseExamined {
  readonly isStandby: boolean;
  readonly timeline: number;
  readonly schema: number;
  /** Clock offset of this host against the server, in milliseconds; positive if it is ahead. Accurate to one query. */
  readonly aheadMs: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** Name of the role of the URL, and what it may do with checks. */
  readonly role: string;
  readonly rights: Readonly<Record<'read' | 'store' | 'delete', boolean>>;
  /** The last day with a partition, as 20260131; null if there is none. */
  readonly lastDay: string | null;
}

/** Examines a log's server; returns a sentence if something is wrong. */
export type ExamineServer = (visibility: Visibility, url: DatabaseUrl) => Promise<DatabaseExamined | string>;

interface Row {
  readonly role: string;
  readonly may_read: boolean;
  readonly may_store: boolean;
  readonly may_delete: boolean;
  readonly connections: number;
  readonly max_connections: number;
  readonly now_ms: string;
  readonly last_day: string | null;
}

const STATEMENT = `select (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as connections,
  current_user::text as role, has_table_privilege('checks', 'select') as may_read,
  has_table_privilege('checks', 'insert') as may_store, has_table_privilege('checks', 'delete') as may_delete,
  current_setting('max_connections')::int4 as max_connections,
  floor(extract(epoch from clock_timestamp()) * 1000)::int8 as now_ms,
  (select max(right(relname, 8)) from pg_class where relname ~ '^checks_\\d{8}$' and relkind = 'r') as last_day`;

/**
 * Creates an examination of servers as nodes with this data directory do it; it changes nothing.
 *
 * @param clientKey the key in `client_key_file`, which must decrypt what the nodes share; null if there is none
 */
export function createServerExamination(
  urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>,
  dataDir: string,
  clientKey: Buffer | null,
): ExamineServer {
  const logger = createLogger('error', () => {});
  const guards = createServerGuards({ urls, seen: openSeenTimelines(dataDir), logger });
  return async (visibility, url) => {
    await using session = createSession({
      urls: [url],
      timeoutMs: EXAMINATION_TIMEOUT_MS,
      max: 1,
      prepare: (sql) => guards[visibility].admit(sql, url, 'read', EXAMINATION_TIMEOUT_MS),
    });
    try {
      return await session.run(async ({ sql, db, ready: { isStandby, timeline } }) => {
        if (visibility === 'public' && clientKey) await decryptShared(db, clientKey);
        const { version } = await readSchema(sql);
        const nowMs = Date.now();
        const [row]: Row[] = await sql.unsafe(STATEMENT);
        return {
          isStandby,
          timeline,
          schema: version,
          aheadMs: nowMs - Number(row?.now_ms),
          connections: row?.connections ?? 0,
          maxConnections: row?.max_connections ?? 0,
          role: row?.role ?? '',
          rights: {
            read: row?.may_read ?? false,
            store: row?.may_store ?? false,
            delete: row?.may_delete ?? false,
          },
          lastDay: row?.last_day ?? null,
        };
      });
    } catch (error) {
      if (error instanceof StoreError) return error.message;
      const fault = databaseFaultOf(error);
      if (!fault) throw error;
      return fault.remedy === undefined
        ? `${fault.matter} (${sqlStateOf(error) ?? 'no answer'}).`
        : faultSentence(fault);
    }
  };
}

/** Throws StoreError if the key of the nodes is another one. */
async function decryptShared(db: BunSQLDatabase, clientKey: Buffer): Promise<void> {
  const seal = createContentSeal(clientKey);
  for (const name of (await readVersions(db)).keys()) await readShared(db, seal, name);
}
