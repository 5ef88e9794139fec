import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQL } from 'bun';
import type { ResolveHost } from '#src/checks/store/database-access.ts';
import { type DatabaseUrl, showDatabaseUrl } from '#src/checks/store/database-url.ts';
import { giveToOwner } from '#src/checks/store/file/secret-key.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { createLogger, type Logger } from '#src/core/base/logger.ts';
import { withTimeout } from '#src/core/base/timers.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { checkSchema, readSchema } from '../schema/schema-steps.ts';
import { OutdatedServerError, PoolerError, StandbyError } from './fault.ts';
import { addressesOf, connect, statementTimeout } from './session.ts';

/** State of a server, and the log in its database. */
interface ServerState {
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

/** Examines each connection to the servers of one log before it is used. */
export interface ServerGuard {
  /**
   * Admits a connection. Resolves with the server's state.
   *
   * @param timeoutMs of a statement over the connection; other servers are waited for less long
   * @throws StoreError if the database is not the one of this log, StandbyError if it is read-only, OutdatedServerError
   */
  admit(sql: SQL, url: DatabaseUrl, use: 'read' | 'write', timeoutMs: number): Promise<ServerState>;
  /** True if a former primary answered last time: nodes still connected to it write a diverging history. */
  readonly hasOutdated: boolean;
}

/** Options of the guards. */
export interface GuardsOptions {
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly resolve?: ResolveHost | undefined;
  readonly seen: SeenTimelines;
  readonly logger: Logger;
}

/** Creates the guards of both logs, which compare the installations of the two databases. */
export function createServerGuards({ urls, ...options }: GuardsOptions): Readonly<Record<Visibility, ServerGuard>> {
  const installations = {};
  const guard = (visibility: Visibility) => {
    const otherDatabase = urls[otherThan(visibility)][0]?.database ?? null;
    return createServerGuard({ ...options, visibility, urls: urls[visibility], otherDatabase, installations });
  };
  return { public: guard('public'), private: guard('private') };
}

/** Creates the guard of one log, without knowledge of the other log and of earlier timelines. */
export function guardOf(visibility: Visibility, urls: readonly DatabaseUrl[]): ServerGuard {
  const highest = new Map<string, number>();
  const seen: SeenTimelines = {
    highestOf: (cluster) => highest.get(cluster) ?? 0,
    note: (cluster, timeline) => void highest.set(cluster, Math.max(timeline, highest.get(cluster) ?? 0)),
  };
  const logger = createLogger('error', () => {});
  return createServerGuard({ visibility, urls, otherDatabase: null, installations: {}, seen, logger });
}

interface GuardOptions extends Omit<GuardsOptions, 'urls'> {
  readonly visibility: Visibility;
  /** All servers of the log. */
  readonly urls: readonly DatabaseUrl[];
  /** Database configured for the other log; null if there is none. */
  readonly otherDatabase: string | null;
  /** Installations of both databases as they become known, shared by both guards. */
  readonly installations: Partial<Record<Visibility, ServerState>>;
}

/**
 * Notes a timeline. A higher one than its own marks a server as a former primary, for all that examine it.
 *
 * The commit is local: a former primary whose `synchronous_standby_names` is set has no standby left, and the statement
 * would wait for one for ever, even after its client has left.
 */
const NOTE_TIMELINE = `insert into timelines (cluster, timeline)
  select $1::text, $2::int8 from set_config('synchronous_commit', 'local', true) on conflict do nothing`;

/** Returns true if a node has noted a higher timeline in a primary than its own: another server took its place. */
export function isSuperseded({ cluster, timeline, knownTimeline, isStandby }: ServerState): boolean {
  return !isStandby && cluster !== '' && timeline < knownTimeline;
}

/** Share of the statement timeout for which other servers are waited for. */
const OTHERS_PART = 0.3;

function createServerGuard(options: GuardOptions): ServerGuard {
  const { visibility, urls, seen, installations, logger } = options;
  const outdated = new Set<DatabaseUrl>();

  function requireDatabase(state: ServerState): void {
    if (state.role !== visibility) throw new StoreError('wrong_database', wrongRole(state, options));
    const other = installations[otherThan(visibility)];
    const isJoined = state.installation !== null && (other?.installation ?? null) !== null;
    if (other && isJoined && state.installation !== other.installation)
      throw new StoreError('wrong_database', wrongInstallation(state, other));
  }

  /** Notes the timeline of a server. A primary is on the highest timeline of its cluster; a standby may lag behind. */
  function noteTimeline(url: DatabaseUrl, { cluster, timeline, isStandby }: ServerState): boolean {
    const newest = seen.highestOf(cluster);
    const isCurrent = isStandby || cluster === '' || timeline >= newest;
    if (!isCurrent && !outdated.has(url)) {
      logger.error('log.database_outdated', { log: visibility, database: showDatabaseUrl(url), timeline, newest });
    }
    if (isCurrent) outdated.delete(url);
    else outdated.add(url);
    return isCurrent;
  }

  async function askOne<T>(url: DatabaseUrl, waitMs: number, ask: (sql: SQL) => Promise<T>): Promise<T | null> {
    const [address] = await withTimeout(addressesOf(url, options.resolve), waitMs);
    if (address === undefined) return null;
    const sql = connect(url, address, { max: 1, timeoutMs: waitMs });
    try {
      return await withTimeout(ask(sql), waitMs);
    } finally {
      void sql.close({ timeout: 0 }).catch(() => {});
    }
  }

  /** Marks a former primary, so that commands refuse it that know no other server. A role without that right leaves it to nodes. */
  async function mark(
    url: DatabaseUrl,
    { cluster, knownTimeline }: ServerState,
    run: (statement: string, values: unknown[]) => Promise<unknown>,
  ) {
    const newest = seen.highestOf(cluster);
    if (knownTimeline >= newest) return;
    try {
      await run(NOTE_TIMELINE, [cluster, newest]);
      logger.warn('log.database_marked', { log: visibility, database: showDatabaseUrl(url), newest });
    } catch {
      // It is refused here anyway, and marked at the next examination.
    }
  }

  /** Returns the states of the other servers that answer. One that does not cannot be a former primary with writers. */
  async function askOthers(url: DatabaseUrl, waitMs: number) {
    const asked = urls
      .filter((one) => one !== url)
      .map(async (other) => {
        const state = await askOne(other, waitMs, readServerState).catch(() => null);
        if (state !== null) return [{ url: other, state }];
        outdated.delete(other);
        return [];
      });
    return (await Promise.all(asked)).flat();
  }

  return {
    async admit(sql, url, use, timeoutMs) {
      checkSchema(await readSchema(sql));
      const own = await readServerState(sql);
      if (own.statementTimeout !== statementTimeout(timeoutMs)) throw new PoolerError('a pooler is in between');
      requireDatabase(own);
      if (own.isStandby && use === 'write') throw new StandbyError('the database is a standby');
      const others = own.isStandby ? [] : await askOthers(url, timeoutMs * OTHERS_PART);
      for (const { state } of others) requireDatabase(state);
      for (const { state } of [{ state: own }, ...others])
        seen.note(state.cluster, Math.max(state.timeline, state.knownTimeline));
      const former = others.filter((other) => !noteTimeline(other.url, other.state));
      const waitMs = timeoutMs * OTHERS_PART;
      await Promise.all(
        former.map(({ url: other, state }) =>
          mark(other, state, (statement, values) =>
            askOne(other, waitMs, (client) => client.unsafe(statement, values)),
          ),
        ),
      );
      if (!noteTimeline(url, own)) {
        await mark(url, own, (statement, values) => withTimeout(sql.unsafe(statement, values), waitMs));
        throw new OutdatedServerError('the database is a former primary');
      }
      const installation =
        use === 'write' ? await register(sql, own, installations.public?.installation ?? null) : null;
      installations[visibility] = { ...own, installation: own.installation ?? installation };
      return own;
    },
    get hasOutdated() {
      return urls.some((url) => outdated.has(url));
    },
  };
}

/** Records a connection in a database, and joins a private database to the installation of the public one. */
async function register(sql: SQL, state: ServerState, publicId: string | null): Promise<string | null> {
  if (state.cluster !== '' && state.timeline > state.knownTimeline) {
    await sql.unsafe(NOTE_TIMELINE, [state.cluster, state.timeline]);
  }
  if (state.installation !== null || publicId === null) return null;
  const [row]: { id: string }[] = await sql.unsafe('select join_installation($1)::text as id', [publicId]);
  return row?.id ?? null;
}

const SETTINGS: Readonly<Record<Visibility, string>> = { public: 'log_database', private: 'log_database_private' };

const otherThan = (visibility: Visibility): Visibility => (visibility === 'public' ? 'private' : 'public');

function wrongRole({ database, role }: ServerState, { visibility, otherDatabase }: GuardOptions): string {
  const other = otherDatabase === null ? '' : ` (${SETTINGS[otherThan(visibility)]} names "${otherDatabase}")`;
  return `${SETTINGS[visibility]} names the database "${database}", which holds the ${role} log, not the ${visibility} log${other}. Correct the URLs.`;
}

function wrongInstallation(one: ServerState, other: ServerState): string {
  const [first, second] = one.role === 'public' ? [one, other] : [other, one];
  return `The databases "${first.database}" and "${second.database}" belong to different installations: ${first.installation} and ${second.installation}. Correct the URLs, or let the owner join them: lurecheck database migrate --private --installation ${first.installation}.`;
}

const FILE = 'timelines.json';

/** Highest timeline of each server cluster that this node has seen, across restarts. */
export interface SeenTimelines {
  /** Returns the highest timeline; 0 for an unknown cluster. */
  highestOf(cluster: string): number;
  note(cluster: string, timeline: number): void;
}

/**
 * Opens the file of a data directory with the timelines. A missing or damaged file is recreated: the databases know the
 * timelines as well.
 *
 * Without the data directory they are in memory only.
 */
export function openSeenTimelines(dataDir: string): SeenTimelines {
  const path = join(dataDir, FILE);
  const seen = readSeen(path);
  return {
    highestOf: (cluster) => seen.get(cluster) ?? 0,
    note(cluster, timeline) {
      if (cluster === '' || timeline <= (seen.get(cluster) ?? 0)) return;
      seen.set(cluster, timeline);
      if (!existsSync(dataDir)) return;
      // Another process may have seen other servers.
      for (const [other, known] of readSeen(path)) seen.set(other, Math.max(known, seen.get(other) ?? 0));
      const draft = `${path}.${process.pid}`;
      try {
        writeFileSync(draft, `${JSON.stringify(Object.fromEntries(seen))}\n`, { mode: 0o600, flush: true });
        giveToOwner(draft);
        renameSync(draft, path);
      } catch {
        // A full disk is reported elsewhere; until a restart, memory suffices.
      }
    },
  };
}

function readSeen(path: string): Map<string, number> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = Object.entries(read !== null && typeof read === 'object' ? read : {});
    return new Map(entries.filter((entry): entry is [string, number] => Number.isInteger(entry[1])));
  } catch {
    return new Map();
  }
}
