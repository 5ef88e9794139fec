import type { SQL } from 'bun';
import type { Visibility } from '#src/core/base/visibility.ts';
import { StoreError } from '../../store-error.ts';

/** A server, and which log its database holds. */
export interface ServerState {
  readonly database: string;
  readonly role: Visibility;
  /** The id of the installation; null in a private database that no node has joined to its public one. */
  readonly installation: string | null;
  readonly isStandby: boolean;
  /** The identifier that a primary shares with its standbys; empty where the role may not read it. */
  readonly cluster: string;
  /** Goes up with each promotion of a standby. That of a standby may lag behind. */
  readonly timeline: number;
  /** The highest timeline of this cluster on which a node ever found this database. */
  readonly knownTimeline: number;
  /** What the server cuts statements off after, in milliseconds; `0` for never. */
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

/** Some providers let nobody read the control file. */
const WITHOUT_CONTROL_FILE = selectState("''", '0::int8');

/** Reads which log a database holds, and on which timeline its server is. Throws StoreError where it holds none. */
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
