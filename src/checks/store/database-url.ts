import { isLoopbackHost } from '#src/core/base/addresses/ip.ts';
import { secret, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Location and credentials of a database. */
export interface DatabaseUrl {
  readonly user: string;
  /** Null if none is needed. */
  readonly password: string | null;
  readonly database: string;
  /** A host name or an IP address without brackets, or the folder of a Unix socket, which begins with a slash. */
  readonly host: string;
  readonly port: number;
  /**
   * `verified` by the authorities in a file or those that browsers trust; `unverified` checks no certificate, and
   * `plain` uses no TLS.
   */
  readonly tls: 'plain' | 'unverified' | 'verified';
  /** PEM file of the authorities that may vouch for the server; null for those that browsers trust. */
  readonly authorityFile: string | null;
  /** Certificates that were in that file when it was read; without them each connection reads it. */
  readonly authorities?: readonly string[];
}

const DEFAULT_PORT = 5432;
const EXPECTED =
  'a URL such as postgres://name:password@db.example/lurecheck?sslrootcert=/etc/ca.pem, or postgres://name@/lurecheck?host=/run/postgresql for a unix socket';

const NONE = 'it is not a database URL';

/** Known URL parameters. */
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert'];

/** Explicit opt-out of certificate verification. */
const UNVERIFIED = 'require-unverified';

/** Parses a URL as PostgreSQL's own programs do. A string says why it is invalid, without quoting it. */
export function readDatabaseUrl(text: string): DatabaseUrl | string {
  try {
    return readNow(text);
  } catch {
    // A lone percent sign.
    return NONE;
  }
}

function readNow(text: string): DatabaseUrl | string {
  // Without a host it is not a valid URL elsewhere, but PostgreSQL's form for a Unix socket.
  const url = URL.parse(text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?=\/)/, '$1localhost'));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '') return NONE;
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return `it has the parameter ${unknown}`;
  const socket = url.searchParams.get('host');
  if (socket !== null && !socket.startsWith('/')) return 'host= is for the folder of a unix socket';
  if (!/^\d{0,5}$/.test(url.searchParams.get('port') ?? '')) return 'its port is invalid';
  const database = decodeURIComponent(url.pathname.slice(1));
  if (url.username === '' || database === '') return 'it must name a role and a database';
  const host = socket ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const tls = tlsOf(host, url.searchParams.get('sslmode'));
  if (tls.startsWith('!')) return tls.slice(1);
  return {
    user: decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    database,
    host,
    port: Number(url.searchParams.get('port') ?? (url.port || DEFAULT_PORT)),
    tls: tls as DatabaseUrl['tls'],
    authorityFile: url.searchParams.get('sslrootcert'),
  };
}

/** Chooses TLS. Beyond this host, an unverified connection could be intercepted. */
function tlsOf(host: string, mode: string | null): DatabaseUrl['tls'] | `!${string}` {
  if (mode === 'verify-full') return 'verified';
  if (mode === UNVERIFIED) return 'unverified';
  if (host.startsWith('/') || isLoopbackHost(host)) {
    if (mode === null || mode === 'disable') return 'plain';
    return mode === 'require' ? 'unverified' : `!sslmode takes disable, require or verify-full`;
  }
  if (mode === null) return 'verified';
  return `!sslmode=${mode} checks nobody's certificate: leave it out, or write ${UNVERIFIED} to go without`;
}

/** Formats a URL for {@link readDatabaseUrl}, without the password. */
export function showDatabaseUrl({ user, password, database, host, port, tls }: DatabaseUrl): string {
  const isSocket = host.startsWith('/');
  const authority = isSocket ? '' : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const parameters = [
    ...(isSocket ? [`host=${host}`] : []),
    ...(isSocket && port !== DEFAULT_PORT ? [`port=${port}`] : []),
    ...(tls === 'unverified' ? [`sslmode=${UNVERIFIED}`] : []),
  ];
  const credentials = `${encodeURIComponent(user)}${password === null ? '' : ':***'}`;
  const question = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `postgres://${credentials}@${authority}/${encodeURIComponent(database)}${question}`;
}

/** Kind of a setting with a database URL, which appears in no message. */
export const databaseUrl = secret(textOf<DatabaseUrl>(EXPECTED, readDatabaseUrl, showDatabaseUrl));
