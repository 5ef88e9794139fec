import { SQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import { answeredWithin } from '#src/base/answered-within.ts';
import type { DatabaseUrl } from './database-url.ts';
import { databaseFaultOf, LateError } from './fault.ts';

/** The server gives up first where it can, which leaves the connection as it was. */
const SERVER_PART = 0.8;

/** How to connect. */
export interface SessionOptions<Ready> {
  /** Tried in turn, on and on: the first that takes what is asked of it is kept. */
  readonly urls: readonly DatabaseUrl[];
  /** How long a statement may take, and a connection to be made. */
  readonly timeoutMs: number;
  /** Connections at most. */
  readonly max: number;
  /** Looks at a connection that stands, before anything else, and makes ready what it needs; what it throws ends it. */
  readonly makeReady: (sql: SQL) => Promise<Ready>;
}

/** An open connection, or several. */
export interface DatabaseConnection<Ready> {
  readonly sql: SQL;
  readonly db: BunSQLDatabase;
  readonly ready: Ready;
}

/** A way to a database that is opened when it is needed, and anew where it broke. */
export interface Session<Ready = unknown> extends AsyncDisposable {
  /**
   * Does some work over an open connection. Work that the database does not answer in time throws LateError, and takes the
   * connection with it; what came of it is then not known.
   */
  run<T>(work: (connection: DatabaseConnection<Ready>) => Promise<T>): Promise<T>;
}

/** A session that nothing is asked of costs nothing. */
export function createSession<Ready>(options: SessionOptions<Ready>): Session<Ready> {
  const { urls, timeoutMs, makeReady } = options;
  let turn = 0;
  let opened: Promise<DatabaseConnection<Ready>> | null = null;

  async function open(): Promise<DatabaseConnection<Ready>> {
    const url = urls[turn % urls.length];
    if (!url) throw new Error('no database is named');
    const sql = connect(url, options);
    try {
      const ready = await makeReady(sql);
      return { sql, db: drizzle({ client: sql }), ready };
    } catch (error) {
      void sql.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  /** The driver knows no limit of time, and a server that was stopped answers no cancellation either. */
  async function abandon(opening: Promise<DatabaseConnection<Ready>>): Promise<void> {
    if (opened !== opening) return;
    opened = null;
    turn++;
    await closeOnceOpen(opening).catch(() => {});
  }

  return {
    async run(work) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(new LateError('the database does not answer in time')), timeoutMs);
      opened ??= open();
      const opening = opened;
      let isOpen = false;
      const working = opening.then((connection) => {
        isOpen = true;
        return work(connection);
      });
      working.catch(() => {});
      try {
        return await Promise.race([working, late.promise]);
      } catch (error) {
        if (!isOpen || databaseFaultOf(error)?.isOfConnection === true) void abandon(opening);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose]() {
      const opening = opened;
      opened = null;
      // A connection that is still being made may never be.
      if (opening) await answeredWithin(closeOnceOpen(opening), timeoutMs).catch(() => {});
    },
  };
}

async function closeOnceOpen(opening: Promise<DatabaseConnection<unknown>>): Promise<void> {
  const { sql } = await opening;
  await sql.close({ timeout: 0 });
}

function connect(url: DatabaseUrl, { max, timeoutMs }: Pick<SessionOptions<unknown>, 'max' | 'timeoutMs'>): SQL {
  const { user, password, database, host, port, tls, authorityFile } = url;
  return new SQL({
    adapter: 'postgres',
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { hostname: host, port }),
    username: user,
    ...(password === null ? {} : { password }),
    database,
    max,
    tls: tlsOptions(tls, authorityFile),
    connectionTimeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
    connection: { statement_timeout: String(Math.ceil(timeoutMs * SERVER_PART)), application_name: 'lurecheck' },
  });
}

function tlsOptions(tls: DatabaseUrl['tls'], authorityFile: string | null): Bun.TLSOptions | false {
  if (tls === 'plain') return false;
  if (tls === 'unverified') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(authorityFile !== null && { ca: Bun.file(authorityFile) }) };
}
