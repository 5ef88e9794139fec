import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** State of a server, and the log in its database. */
export interface ServerState {
  readonly database: string;
  readonly role: Visibility;
  /** Id of the installation; null in a private database that no node has joined to the public one. */
  readonly installation: string | null;
  readonly isStandby: boolean;
  /** System identifier that a primary shares with its standbys; empty if the role may not read it. */
  readonly cluster: string;
  /** Increases with each promotion of a standby. That of a standby may lag behind. */
  readonly timeline: number;
  /** Highest timeline of this cluster on which a node found this database. */
  readonly knownTimeline: number;
  /** Statement timeout of the server, in milliseconds; `0` for none. */
  readonly statementTimeout: string;
}

interface Row {
  readonly database: string;
  readonly role: Visibility;
  readonly installation: string | null;
  readonly is_standby: boolean;
  readonly cluster: string;
  readonly timeline: string | null;
  readonly known: string;
  readonly statement_timeout: string;
}

const selectState = (cluster: string, ofStandby: string) => `select current_database() as database, role,
  id::text as installation, pg_is_in_recovery() as is_standby, ${cluster} as cluster,
  case when pg_is_in_recovery() then ${ofStandby}
    else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int8 end as timeline,
  (select coalesce(max(timelines.timeline), 0) from timelines where timelines.cluster = ${cluster}) as known,
  (select setting from pg_settings where name = 'statement_timeout') as statement_timeout
  from installation`;

const FROM_CONTROL_FILE = selectState(
  '(select system_identifier::text from pg_control_system())',
  '(select timeline_id::int8 from pg_control_checkpoint())',
);

/** Some providers deny access to the control file. */
const WITHOUT_CONTROL_FILE = selectState("''", '0::int8');

/** Reads which log a database holds, and the timeline of its server. Throws StoreError if it holds none. */
export async function readServerState(sql: SQL): Promise<ServerState> {
  const [row]: Row[] = await sql.unsafe(FROM_CONTROL_FILE).catch(async (error) => {
    if (!isRefused(error)) throw error;
    return await sql.unsafe(WITHOUT_CONTROL_FILE);
  });
  if (!row) throw new StoreError('wrong_database', 'The database does not say which log it holds.');
  return {
    database: row.database,
    role: row.role,
    installation: row.installation,
    isStandby: row.is_standby,
    cluster: row.cluster,
    timeline: Number(row.timeline ?? 0),
    knownTimeline: Number(row.known),
    statementTimeout: row.statement_timeout,
  };
}

const isRefused = (error: unknown) => error instanceof Error && 'errno' in error && error.errno === '42501';
