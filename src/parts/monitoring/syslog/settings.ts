import { parseIp } from '#src/core/base/addresses/ip.ts';
import { reloadable, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { booleanValue, orNone, textOf } from '#src/core/base/settings/setting-kind.ts';

/** Address and transport of a syslog server. */
export interface SyslogAddress {
  readonly way: 'udp' | 'tcp' | 'tls' | 'unix';
  /** A host name, or an IP address without brackets; of a unix socket its path. */
  readonly host: string;
  /** 0 for a unix socket. */
  readonly port: number;
  /** File with the certificates of the authorities that are trusted instead of the others; null without one. */
  readonly caFile: string | null;
}

/** Ports by IANA: syslog over UDP (RFC 5426), reliable syslog over TCP (RFC 3195, 6587), syslog over TLS (RFC 5425). */
const DEFAULT_PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;

/** A syslog server. */
export const syslogAddress = textOf<SyslogAddress>(
  'a server, such as udp://192.0.2.1:514, tcp://logs.example:601 or tls://logs.example:6514, which may end with ?ca=FILE of an authority of your own, or unix:/dev/log for that of this machine',
  (text) => (text.startsWith('unix:') ? readSocketPath(text.slice('unix:'.length)) : readSyslogAddress(text)),
  ({ way, host, port, caFile }) =>
    way === 'unix'
      ? `unix:${host}`
      : `${way}://${host.includes(':') ? `[${host}]` : host}:${port}${caFile === null ? '' : `?ca=${encodeURIComponent(caFile)}`}`,
);

/** The longest path of a socket in bytes (unix(7), `sun_path`, which ends with a zero). */
const MAX_PATH_BYTES = 107;

function readSocketPath(path: string): SyslogAddress | null {
  const fits = /^\/.*[^/]$/.test(path) && !path.includes('\0') && Buffer.byteLength(path) <= MAX_PATH_BYTES;
  return fits ? { way: 'unix', host: path, port: 0, caFile: null } : null;
}

function readSyslogAddress(text: string): SyslogAddress | null {
  const [, way, authority = '', options = ''] = /^(udp|tcp|tls):\/\/([^/?#]+)(?:\?([^#]*))?$/.exec(text) ?? [];
  if (way !== 'udp' && way !== 'tcp' && way !== 'tls') return null;
  const [, bracketed, name, port = String(DEFAULT_PORTS[way])] =
    /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const host = bracketed ?? name ?? '';
  const isHost = bracketed === undefined ? /^[a-z\d._-]+$/i.test(host) : parseIp(host)?.family === 6;
  const { ca = null, ...others } = Object.fromEntries(new URLSearchParams(options));
  if (!isHost || Number(port) < 1 || Number(port) > 65_535) return null;
  if (ca === '' || (ca !== null && way !== 'tls') || Object.keys(others).length > 0) return null;
  return { way, host, port: Number(port), caFile: ca };
}

/** Settings of the log server. */
export const SYSLOG_SETTINGS = {
  syslog: setting(
    ['serve'],
    orNone(syslogAddress),
    null,
    'Syslog server (RFC 5424, or syslog(3) on a unix socket) that receives the events of stdout, from log_level on.',
  ),
  syslog_checks: tuning(
    reloadable(
      setting(
        ['serve'],
        booleanValue,
        false,
        'Send each check to syslog, too. Of a private check it names time and outcome, not the URL.',
      ),
    ),
  ),
};

/** The values of {@link SYSLOG_SETTINGS}. */
export type SyslogSettings = SettingValues<typeof SYSLOG_SETTINGS>;

/** `syslog_checks` requires `syslog`. */
export const SYSLOG_RULE: SettingRule<SyslogSettings> = {
  between: ['syslog', 'syslog_checks'],
  problem: ({ syslog, syslog_checks: checks }) =>
    checks && syslog === null ? 'syslog_checks is set, but syslog is not' : null,
};
