import { SQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import type { ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { withTimeout } from '#src/core/base/timers.ts';
import { handshakeFaultOf } from '#src/core/base/tls/handshake-fault.ts';
import {
  databaseFaultOf,
  LateError,
  NotReadyError,
  ServerCertificateError,
  UnresolvedError,
  withoutStatement,
} from './fault.ts';

/** Share of the timeout after which the server cancels a statement, which leaves the connection usable. */
const SERVER_PART = 0.8;

/** Options of a session. */
export interface SessionOptions<Ready> {
  /** Servers, tried in turn; the first that accepts the work stays in use. The list may be replaced: see {@link Session.renew}. */
  readonly urls: readonly DatabaseUrl[];
  /** Timeout of connecting and of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of connections. */
  readonly max: number;
  /** Resolves hosts; only its addresses are used. By default the driver resolves names. */
  readonly resolve?: ResolveHost | undefined;
  /** Prepares a connection before its first use; an error ends it. */
  readonly prepare: (sql: SQL, url: DatabaseUrl) => Promise<Ready>;
}

/** An open connection or pool. */
export interface DatabaseConnection<Ready> {
  readonly sql: SQL;
  readonly db: BunSQLDatabase;
  readonly ready: Ready;
  readonly url: DatabaseUrl;
}

/** Connects to a database on demand, and again after a failure. */
export interface Session<Ready = unknown> extends AsyncDisposable {
  /**
   * Runs work over an open connection. Work that times out throws LateError and closes the connection; its outcome is
   * unknown.
   */
  run<T>(work: (connection: DatabaseConnection<Ready>) => Promise<T>): Promise<T>;
  /** Closes the connection to a server that is no longer one of the servers, once its work is done. */
  renew(): void;
}

/** A connection and the number of its users. */
interface Opened<Ready> {
  readonly connection: Promise<DatabaseConnection<Ready>>;
  readonly url: DatabaseUrl | undefined;
  users: number;
  /** True if no further work may use it. */
  isRetired: boolean;
}

/** Creates a session; it connects with the first work. */
export function createSession<Ready>(options: SessionOptions<Ready>): Session<Ready> {
  const { urls, timeoutMs, prepare } = options;
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
        const ready = await prepare(sql, url);
        isReady = true;
        return { sql, db: drizzle({ client: sql }), ready, url };
      } catch (error) {
        void sql.close({ timeout: 0 }).catch(() => {});
        const fault = databaseFaultOf(error);
        if (at === addresses.length - 1 || fault?.isOfConnection !== true)
          throw fault?.isOfRow === true ? new NotReadyError(error) : withServer(error, url);
      }
    }
    throw new UnresolvedError('the host of the database has no address');
  }

  function retire(opened: Opened<Ready>): void {
    opened.isRetired = true;
    if (current !== opened) return;
    current = null;
    turn++;
  }

  /** The driver would reconnect by itself, to an unexamined server. */
  function opening(): Opened<Ready> {
    const opened: Opened<Ready> = {
      connection: open(() => {
        if (opened.users > 0) return retire(opened);
        opened.isRetired = true;
        if (current === opened) current = null;
        void closeOnceOpen(opened).catch(() => {});
      }),
      url: urls[turn % urls.length],
      users: 0,
      isRetired: false,
    };
    return opened;
  }

  function renew(): void {
    const opened = current;
    if (opened?.url === undefined || urls.includes(opened.url)) return;
    opened.isRetired = true;
    current = null;
    turn = 0;
    if (opened.users === 0) void closeOnceOpen(opened).catch(() => {});
  }

  return {
    renew,
    async run(work) {
      renew();
      // Retired, it is replaced by the next server.
      const url = urls[turn % urls.length];
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
        return await withTimeout(working, timeoutMs, () => new LateError('the database does not answer in time'));
      } catch (error) {
        const fault = databaseFaultOf(error);
        if (!isOpen || fault?.isOfConnection === true) retire(opened);
        // The driver has no timeout, and a stopped server answers no cancellation either.
        if (fault?.isOfConnection === true && !fault.isAlive) void closeOnceOpen(opened).catch(() => {});
        throw withServer(error, url);
      } finally {
        opened.users--;
        // A reader of a standby must not be cut off by a writer that found it read-only.
        if (opened.isRetired && opened.users === 0) void closeOnceOpen(opened).catch(() => {});
      }
    },
    async [Symbol.asyncDispose]() {
      const opened = current;
      current = null;
      // A pending connection may never open.
      if (opened) await withTimeout(closeOnceOpen(opened), timeoutMs).catch(() => {});
    },
  };
}

/** Adds the server to a fault of its certificate, which the library does not name. */
function withServer(error: unknown, url: DatabaseUrl | undefined): unknown {
  const cause = withoutStatement(error);
  const fault = handshakeFaultOf(cause);
  return fault && url ? new ServerCertificateError(url, fault, cause) : error;
}

async function closeOnceOpen({ connection }: Opened<unknown>): Promise<void> {
  const { sql } = await connection;
  await sql.close({ timeout: 0 });
}

/** Returns the addresses of a host; the folder of a Unix socket has none. */
export async function addressesOf({ host, port }: DatabaseUrl, resolve?: ResolveHost): Promise<readonly string[]> {
  return resolve && !host.startsWith('/') ? await resolve(host, port) : [host];
}

/** Creates connections to a server, each opened with the first statement. */
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

/** Returns the server's statement timeout for a client timeout, in milliseconds. */
export function statementTimeout(timeoutMs: number): string {
  return String(Math.ceil(timeoutMs * SERVER_PART));
}

function tlsOptions({ host, tls, authorityFile, authorities }: DatabaseUrl): Bun.TLSOptions | false {
  if (tls === 'plain') return false;
  if (tls === 'unverified') return { rejectUnauthorized: false };
  return {
    rejectUnauthorized: true,
    // Verified by the configured name, wherever it resolves.
    ...(parseIp(host) === null && { serverName: host }),
    ...(authorityFile !== null && { ca: authorities ? [...authorities] : Bun.file(authorityFile) }),
  };
}

/** Wraps a session for reads, which are repeatable: if a server is unreachable, the next is used, each of `urls` once. */
export function withFailover<Ready>(session: Session<Ready>, urls: readonly unknown[]): Session<Ready> {
  return {
    renew: () => session.renew(),
    async run(work) {
      for (let left = urls.length - 1; ; left--) {
        try {
          return await session.run(work);
        } catch (error) {
          if (left <= 0 || databaseFaultOf(error)?.isOfConnection !== true) throw error;
        }
      }
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
