import type { StoreSettings } from '#src/checks/store/settings.ts';
import { timeOfDay } from '#src/checks/store/upkeep/run-every.ts';
import { LOG_FORMATS } from '#src/core/base/log/log-format.ts';
import { LOG_LEVELS } from '#src/core/base/logger.ts';
import {
  formatListenAddress,
  type ListenAddress,
  listenAddress,
  localAddress,
} from '#src/core/base/settings/listen-address.ts';
import { reloadable, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { booleanValue, listOf, oneOf, orNone, plainText, wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import type { ServerSettings } from '#src/service/server/settings.ts';

const DEFAULT_LISTEN: ListenAddress = { kind: 'tcp', host: '127.0.0.1', port: 8080 };

/** Settings of the process as a whole. */
export const PROGRAM_SETTINGS = {
  listen: setting(
    ['serve', 'healthcheck', 'upgrade'],
    listOf(listenAddress),
    [DEFAULT_LISTEN],
    'Addresses to serve on. Port 0 picks a free port.',
  ),
  admin_listen: setting(
    ['serve'],
    orNone(localAddress),
    null,
    'Address for the operator only: /metrics, /livez and /readyz.',
  ),
  reuse_port: tuning(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Share the port between processes (SO_REUSEPORT). Each process needs its own data_dir; configure a shared limiter.',
    ),
  ),
  stop_delay_seconds: tuning(
    setting(
      ['serve'],
      wholeNumber(0, 60),
      0,
      'Keep accepting requests for this many seconds after SIGTERM while /readyz fails, so that load balancers can drain the node.',
    ),
  ),
  tls_certificate: reloadable(
    setting(
      ['serve', 'healthcheck', 'upgrade'],
      orNone(plainText('a PEM file')),
      null,
      'File with the certificate of the service and its intermediate certificates. Every TCP address then serves https.',
    ),
  ),
  tls_key: reloadable(
    setting(
      ['serve', 'healthcheck', 'upgrade'],
      orNone(plainText('a PEM file')),
      null,
      'File with the private key of tls_certificate.',
    ),
  ),
  pack_dir: reloadable(
    setting(
      ['serve'],
      orNone(plainText('a folder')),
      null,
      'Folder in which the service looks for signed packs of trusted publishers, every minute and on reload. It installs the latest pack of each name.',
    ),
  ),
  log_level: reloadable(
    setting(
      ['serve', 'check', 'log', 'history', 'model', 'rescore', 'lists', 'pack', 'gate'],
      oneOf(LOG_LEVELS),
      'info',
      'Minimum level of logged events. serve logs to stdout, other commands to stderr; debug adds each failed lookup with its cause.',
    ),
  ),
  log_format: reloadable(
    setting(
      ['serve', 'check', 'log', 'history', 'model', 'rescore', 'lists', 'pack', 'gate'],
      oneOf(LOG_FORMATS),
      'json',
      'Names of the members of logged events: json for those of lurecheck, ecs for those of the Elastic Common Schema.',
    ),
  ),
  rescore_at: reloadable(
    setting(
      ['serve'],
      orNone(timeOfDay),
      null,
      "Time of day, in the host's time zone, at which stored public checks are re-scored with the active model, lists and brands; the overview shows what changed. Of nodes that share a database, one does it for all.",
    ),
  ),
  backup_at: reloadable(
    setting(
      ['serve'],
      orNone(timeOfDay),
      null,
      "Time of day, in the host's time zone, at which the service creates a backup. A missed backup is created at the next start.",
    ),
  ),
  backup_dir: setting(
    ['serve'],
    orNone(plainText('a folder')),
    null,
    'Folder of scheduled backups, preferably on another disk; backups in data_dir by default.',
  ),
  backup_keep: reloadable(
    setting(['serve'], wholeNumber(1, 1000), 7, 'Number of scheduled backups to keep. Older ones are removed.'),
  ),
  log_checks: tuning(
    reloadable(setting(['serve'], booleanValue, true, 'Log one line per check, whatever log_level is.')),
  ),
};

/** The values of {@link PROGRAM_SETTINGS}. */
export type ProgramSettings = SettingValues<typeof PROGRAM_SETTINGS>;

/** At least one address is required. */
export const LISTEN_RULE: SettingRule<ProgramSettings> = {
  between: ['listen'],
  problem: ({ listen }) => (listen.length === 0 ? 'listen is empty; expected at least one address' : null),
};

/** Settings that open listeners. */
const LISTENING = [
  ...(['listen', 'admin_listen', 'zone_listen', 'misp_listen'] as const),
  ...(['icap_listen', 'icap_tls_listen', 'milter_listen'] as const),
];

/** Each listener needs an address of its own; port 0 picks another port each time. */
export const LISTENERS_RULE: SettingRule<
  Readonly<Record<(typeof LISTENING)[number], ListenAddress | readonly ListenAddress[] | null>>
> = {
  between: LISTENING,
  problem(values) {
    const keys = new Map<string, string>();
    for (const key of LISTENING) {
      for (const address of [values[key] ?? []].flat()) {
        if (address.kind === 'tcp' && address.port === 0) continue;
        const written = formatListenAddress(address);
        const other = keys.get(written);
        if (other === key) return `${key} has the address ${written} twice`;
        if (other !== undefined) {
          return `${other} and ${key} both have the address ${written}; give each an address of its own`;
        }
        keys.set(written, key);
      }
    }
    return null;
  },
};

/** Nodes that hash clients by keys of their own count nothing together. */
export const LIMITER_RULE: SettingRule<Pick<ServerSettings & StoreSettings, 'limiter' | 'client_key_file'>> = {
  between: ['limiter', 'client_key_file'],
  problem: ({ limiter, client_key_file: key }) =>
    limiter.length > 0 && key === null
      ? 'limiter is set, but client_key_file is not: all nodes must use the same key'
      : null,
};

/** Processes that share a port get a client's requests by turns: a limit in each would be as many limits. */
export const REUSE_PORT_RULE: SettingRule<Pick<ProgramSettings & ServerSettings, 'reuse_port' | 'limiter'>> = {
  between: ['reuse_port', 'limiter'],
  problem: ({ reuse_port, limiter }) =>
    reuse_port && limiter.length === 0
      ? 'reuse_port is set, but limiter is not: each process would have its own limit'
      : null,
};

/** Neither is of use without the other. */
export const TLS_RULE: SettingRule<ProgramSettings> = {
  between: ['tls_certificate', 'tls_key'],
  problem: ({ tls_certificate: certificate, tls_key: key }) => {
    if ((certificate === null) === (key === null)) return null;
    return certificate === null
      ? 'tls_key is set, but tls_certificate is not'
      : 'tls_certificate is set, but tls_key is not';
  },
};
