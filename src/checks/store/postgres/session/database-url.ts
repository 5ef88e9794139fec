import { secret, textOf } from '#src/core/base/settings/setting-kind.ts';
import { isThisMachine } from '#src/core/base/addresses/loopback-host.ts';

/** Where a database is, and as whom it is asked. */
export interface DatabaseUrl {
  readonly user: string;
  /** Null where none is needed. */
  readonly password: string | null;
  readonly database: string;
  /** A host name or an IP address without brackets; the folder of a unix socket begins with a slash. */
  readonly host: string;
  readonly port: number;
  /** `verified`: by the authorities in a file, or the usual ones; `unverified` checks nothing, and `plain` is none. */
  readonly tls: 'plain' | 'unverified' | 'verified';
  /** PEM file of the authorities that may vouch for the server; null for those that every browser trusts. */
  readonly authorityFile: string | null;
}

const DEFAULT_PORT = 5432;
const EXPECTED =
  'a URL such as postgres://name:password@db.example/lurecheck?sslrootcert=/etc/ca.pem, or postgres://name@/lurecheck?host=/run/postgresql for a unix socket';

const NONE = 'it is none';

/** What may stand behind the question mark. */
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert'];

/** What the operator writes who knows that nobody checks whom the password is sent to. */
const UNVERIFIED = 'require-unverified';

/** Reads a URL as PostgreSQL's own programs have it. A string says why it is none, and nothing of what it holds. */
export function readDatabaseUrl(text: string): DatabaseUrl | string {
  try {
    return readNow(text);
  } catch {
    // A percent sign with nothing behind it.
    return NONE;
  }
}

function readNow(text: string): DatabaseUrl | string {
  // Without a host it is no URL to others, but for PostgreSQL it is the form for a unix socket.
  const url = URL.parse(text.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)(?=\/)/, '$1localhost'));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '') return NONE;
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return `it has the parameter ${unknown}`;
  const socket = url.searchParams.get('host');
  if (socket !== null && !socket.startsWith('/')) return 'host= is for the folder of a unix socket';
  if (!/^\d{0,5}$/.test(url.searchParams.get('port') ?? '')) return 'its port is none';
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

/** Beyond this machine whoever is in the way reads along and answers, where nobody checks the certificate. */
function tlsOf(host: string, mode: string | null): DatabaseUrl['tls'] | `!${string}` {
  if (mode === 'verify-full') return 'verified';
  if (mode === UNVERIFIED) return 'unverified';
  if (host.startsWith('/') || isThisMachine(host)) {
    if (mode === null || mode === 'disable') return 'plain';
    return mode === 'require' ? 'unverified' : `!sslmode takes disable, require or verify-full`;
  }
  if (mode === null) return 'verified';
  return `!sslmode=${mode} checks nobody's certificate: leave it out, or write ${UNVERIFIED} to go without`;
}

/** Writes what {@link readDatabaseUrl} reads, without the password. */
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

/** A setting that names a database; what it holds is in no message. */
export const databaseUrl = secret(textOf<DatabaseUrl>(EXPECTED, readDatabaseUrl, showDatabaseUrl));
