import { SQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import { answeredWithin } from '#src/core/base/with-timeout.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import type { DatabaseUrl } from './database-url.ts';
import { databaseFaultOf, LateError, NotReadyError, UnresolvedError } from './fault.ts';

/** The server gives up first where it can, which leaves the connection as it was. */
const SERVER_PART = 0.8;

/** The addresses of a host, for a connection to one of its ports; none where it has none. */
export type ResolveHost = (host: string, port: number) => Promise<readonly string[]>;

/** How to connect. */
export interface SessionOptions<Ready> {
  /** Tried in turn, on and on: the first that takes what is asked of it is kept. */
  readonly urls: readonly DatabaseUrl[];
  /** How long a statement may take, and a connection to be made. */
  readonly timeoutMs: number;
  /** Connections at most. */
  readonly max: number;
  /** Where a host is now; connected to is what it says and nothing else. Without it the driver looks names up. */
  readonly resolve?: ResolveHost | undefined;
  /** Prepares a connection, before anything else is done over it; an error ends it. */
  readonly makeReady: (sql: SQL, url: DatabaseUrl) => Promise<Ready>;
}

/** An open connection, or several. */
export interface DatabaseConnection<Ready> {
  readonly sql: SQL;
  readonly db: BunSQLDatabase;
  readonly ready: Ready;
  readonly url: DatabaseUrl;
}

/** A way to a database that is opened when it is needed, and anew where it broke. */
export interface Session<Ready = unknown> extends AsyncDisposable {
  /**
   * Does some work over an open connection. Work that the database does not answer in time throws LateError, and takes the
   * connection with it; what came of it is then not known.
   */
  run<T>(work: (connection: DatabaseConnection<Ready>) => Promise<T>): Promise<T>;
}

/** A connection with those who work over it. */
interface Opened<Ready> {
  readonly connection: Promise<DatabaseConnection<Ready>>;
  users: number;
  /** Whether nobody else is to work over it. */
  isLeft: boolean;
}

/** A session that nothing is asked of costs nothing. */
export function createSession<Ready>(options: SessionOptions<Ready>): Session<Ready> {
  const { urls, timeoutMs, makeReady } = options;
  let turn = 0;
  let current: Opened<Ready> | null = null;

  async function open(onClosed: () => void): Promise<DatabaseConnection<Ready>> {
    const url = urls[turn % urls.length];
    if (!url) throw new Error('no database is named');
    const addresses = await addressesOf(url, options.resolve);
    for (const [at, address] of addresses.entries()) {
      let isReady = false;
      const sql = connect(url, address, { ...options, onClosed: () => isReady && onClosed() });
      try {
        const ready = await makeReady(sql, url);
        isReady = true;
        return { sql, db: drizzle({ client: sql }), ready, url };
      } catch (error) {
        void sql.close({ timeout: 0 }).catch(() => {});
        const fault = databaseFaultOf(error);
        if (at === addresses.length - 1 || fault?.isOfConnection !== true)
          throw fault?.isOfRow === true ? new NotReadyError(error) : error;
      }
    }
    throw new UnresolvedError('the host of the database has no address');
  }

  function leave(opened: Opened<Ready>): void {
    opened.isLeft = true;
    if (current !== opened) return;
    current = null;
    turn++;
  }

  /** The driver would connect again by itself, to a server that nobody has examined. */
  function opening(): Opened<Ready> {
    const opened: Opened<Ready> = {
      connection: open(() => {
        if (opened.users > 0) return leave(opened);
        opened.isLeft = true;
        if (current === opened) current = null;
        void closeOnceOpen(opened).catch(() => {});
      }),
      users: 0,
      isLeft: false,
    };
    return opened;
  }

  return {
    async run(work) {
      current ??= opening();
      const opened = current;
      opened.users++;
      let isOpen = false;
      const working = opened.connection.then((connection) => {
        isOpen = true;
        return work(connection);
      });
      working.catch(() => {});
      try {
        return await answeredWithin(working, timeoutMs, () => new LateError('the database does not answer in time'));
      } catch (error) {
        const fault = databaseFaultOf(error);
        if (!isOpen || fault?.isOfConnection === true) leave(opened);
        // The driver knows no limit of time, and a server that was stopped answers no cancellation either.
        if (fault?.isOfConnection === true && !fault.isAlive) void closeOnceOpen(opened).catch(() => {});
        throw error;
      } finally {
        opened.users--;
        // Whoever reads from a standby is not cut off by who found out that it takes nothing.
        if (opened.isLeft && opened.users === 0) void closeOnceOpen(opened).catch(() => {});
      }
    },
    async [Symbol.asyncDispose]() {
      const opened = current;
      current = null;
      // A connection that is still being made may never be.
      if (opened) await answeredWithin(closeOnceOpen(opened), timeoutMs).catch(() => {});
    },
  };
}

async function closeOnceOpen({ connection }: Opened<unknown>): Promise<void> {
  const { sql } = await connection;
  await sql.close({ timeout: 0 });
}

/** Where a host is now; the folder of a unix socket is no host. */
export async function addressesOf({ host, port }: DatabaseUrl, resolve?: ResolveHost): Promise<readonly string[]> {
  return resolve && !host.startsWith('/') ? await resolve(host, port) : [host];
}

/** Connections to a server, each made with the first statement that needs it. */
export function connect(
  url: DatabaseUrl,
  address: string,
  {
    max,
    timeoutMs,
    onClosed,
  }: Pick<SessionOptions<unknown>, 'max' | 'timeoutMs'> & { readonly onClosed?: () => unknown },
): SQL {
  const { user, password, database, host, port } = url;
  return new SQL({
    adapter: 'postgres',
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { hostname: address, port }),
    username: user,
    ...(password === null ? {} : { password }),
    database,
    max,
    ...(onClosed && { onclose: onClosed }),
    tls: tlsOptions(url),
    connectionTimeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
    connection: { statement_timeout: statementTimeout(timeoutMs), application_name: 'lurecheck' },
  });
}

/** What a server is told of a statement that is waited for as long as this, in milliseconds. */
export function statementTimeout(timeoutMs: number): string {
  return String(Math.ceil(timeoutMs * SERVER_PART));
}

function tlsOptions({ host, tls, authorityFile }: DatabaseUrl): Bun.TLSOptions | false {
  if (tls === 'plain') return false;
  if (tls === 'unverified') return { rejectUnauthorized: false };
  return {
    rejectUnauthorized: true,
    // By the name that the operator wrote, wherever it leads.
    ...(parseIp(host) === null && { serverName: host }),
    ...(authorityFile !== null && { ca: Bun.file(authorityFile) }),
  };
}
