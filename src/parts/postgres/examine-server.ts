import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { readSchema } from './schema/schema-steps.ts';
import { createContentSeal } from './sealed-content.ts';
import { databaseFaultOf, faultSentence, sqlStateOf } from './session/fault.ts';
import { openSeenTimelines } from './session/seen-timelines.ts';
import { createServerGuards } from './session/server-guard.ts';
import { createSession } from './session/session.ts';
import { readShared, readVersions } from './shared-documents.ts';

const TIMEOUT_MS = 5000;

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
      timeoutMs: TIMEOUT_MS,
      max: 1,
      prepare: (sql) => guards[visibility].admit(sql, url, 'read', TIMEOUT_MS),
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
