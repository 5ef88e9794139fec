import { isLoopbackHost, parseIp } from '#src/core/base/addresses/ip.ts';
import { secret, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Address of a Redis or Valkey server in which several nodes count together. */
export interface LimiterAddress {
  /** URL with the password. */
  readonly url: string;
  /** URL without the password. */
  readonly withoutPassword: string;
  /** Host without brackets, and port; null for a unix socket. */
  readonly host: { readonly name: string; readonly port: number } | null;
  /** True for TLS with a verified certificate. */
  readonly isSecure: boolean;
  /** File with the certificates of the authorities that are trusted instead of the public ones; null without one. */
  readonly caFile: string | null;
  /** Name of the group of servers that counts a share of the clients; empty by default. */
  readonly shard: string;
}

const DEFAULT_PORT = 6379;

/** Names of shards. */
const SHARD = /^[\w.-]{0,32}$/;

/** Explicit opt-out of TLS beyond this host. */
const WITHOUT_TLS = 'off';

/** A Redis or a Valkey. */
export const limiterAddress = secret(
  textOf<LimiterAddress>(
    'redis+unix:///run/redis/redis.sock, redis://127.0.0.1:6379 or rediss://redis.example:6379, with user:password@ before the ' +
      'host (redis+unix://user:password@localhost/run/redis/redis.sock); rediss may end with ?ca=FILE of an authority of your ' +
      'own, and redis beyond this machine must end with ?tls=off; shard=NAME names its group where several share the clients',
    readLimiterAddress,
    ({ withoutPassword }) => withoutPassword,
  ),
);

function readLimiterAddress(text: string): LimiterAddress | null {
  const url = URL.parse(text);
  if (url?.hash !== '') return null;
  const withoutPassword = new URL(url);
  if (url.password !== '') withoutPassword.password = '***';
  const { shard = '', ...options } = Object.fromEntries(url.searchParams);
  if (!SHARD.test(shard) || (shard === '' && url.searchParams.has('shard'))) return null;
  url.search = '';
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const address = {
    url: url.href,
    withoutPassword: withoutPassword.href,
    host: { name, port: Number(url.port || DEFAULT_PORT) },
    isSecure: url.protocol === 'rediss:',
    shard,
  };
  switch (url.protocol) {
    case 'redis+unix:':
      return isEmpty(options) && url.pathname.length > 1 ? { ...address, host: null, caFile: null } : null;
    case 'redis:':
      return isServer(url, name) && mayBePlain(name, options) ? { ...address, caFile: null } : null;
    case 'rediss:': {
      const { ca = null, ...others } = options;
      return isServer(url, name) && ca !== '' && isEmpty(others) ? { ...address, caFile: ca } : null;
    }
    default:
      return null;
  }
}

const isEmpty = (options: Readonly<Record<string, string>>) => Object.keys(options).length === 0;

/** A host, and at most the number of a database behind it. */
function isServer({ pathname }: URL, name: string): boolean {
  return (parseIp(name) !== null || /^[a-z0-9._-]+$/i.test(name)) && /^(\/\d{0,5})?$/.test(pathname);
}

function mayBePlain(name: string, { tls, ...others }: Readonly<Record<string, string>>): boolean {
  return isEmpty(others) && (tls === WITHOUT_TLS || (isLoopbackHost(name) && tls === undefined));
}
