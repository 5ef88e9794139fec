import { parseIp } from '#src/base/ip.ts';
import { LOG_LEVELS } from '#src/base/logger.ts';
import { setting } from '#src/base/setting.ts';
import { oneOf, textOf } from '#src/base/setting-kind.ts';

/** Where the service listens. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const listenAddress = textOf<ListenAddress>(
  'an address and a port, such as 127.0.0.1:8080 or [::1]:8080',
  (text) => {
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    const isHost = parseIp(bare) !== null || /^[a-z0-9.-]+$/i.test(bare);
    return isHost && Number(port) <= 65535 ? { host: bare, port: Number(port) } : null;
  },
  ({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`,
);

/** What the operator decides about the process as a whole. */
export const PROGRAM_SETTINGS = {
  listen: setting(
    ['serve', 'healthcheck'],
    listenAddress,
    { host: '127.0.0.1', port: 8080 },
    'Where to serve; port 0 picks a free one.',
  ),
  log_level: setting(
    ['serve', 'check', 'log'],
    oneOf(LOG_LEVELS),
    'info',
    'The mildest diagnostics that are written to stderr; at debug also each look-up that failed, and why.',
  ),
};
