import { LOG_LEVELS } from '#src/core/base/logger.ts';
import { reread, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, oneOf, orNone, plainText, wholeNumber, yesOrNo } from '#src/core/base/settings/setting-kind.ts';
import type { ServerSettings } from '#src/service/server/settings.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { type ListenAddress, listenAddress, localAddress } from '#src/core/base/settings/listen-address.ts';
import { timeOfDay } from '#src/checks/store/upkeep/time-of-day.ts';

const DEFAULT_LISTEN: ListenAddress = { kind: 'tcp', host: '127.0.0.1', port: 8080 };

/** What the operator decides about the process as a whole. */
export const PROGRAM_SETTINGS = {
  listen: setting(
    ['serve', 'healthcheck', 'upgrade'],
    listOf(listenAddress),
    [DEFAULT_LISTEN],
    'Where to serve; port 0 picks a free one.',
  ),
  admin_listen: setting(
    ['serve'],
    orNone(localAddress),
    null,
    'Where to serve what is for the operator alone: /metrics for a monitoring system, /livez and /readyz.',
  ),
  reuse_port: setting(
    ['serve'],
    yesOrNo,
    false,
    'Whether several processes of one user may serve one port, each on a core of its own; each needs a data_dir of its own, and all of them one limiter.',
  ),
  stop_delay_seconds: setting(
    ['serve'],
    wholeNumber(0, 60),
    0,
    'Seconds for which requests are still taken once the service was told to stop, and /readyz says so: what a load balancer needs to notice.',
  ),
  tls_certificate: reread(
    setting(
      ['serve', 'healthcheck', 'upgrade'],
      orNone(plainText('a PEM file')),
      null,
      'File with the certificate of the service and those between it and its authority: makes every address with a port https.',
    ),
  ),
  tls_key: reread(
    setting(
      ['serve', 'healthcheck', 'upgrade'],
      orNone(plainText('a PEM file')),
      null,
      'File with the private key of tls_certificate.',
    ),
  ),
  pack_dir: reread(
    setting(
      ['serve'],
      orNone(plainText('a folder')),
      null,
      'Folder in which the service looks each minute, and at SIGHUP, for signed packs of publishers that are trusted here; of each name the newest is installed.',
    ),
  ),
  log_level: reread(
    setting(
      ['serve', 'check', 'log', 'history', 'model', 'rescore', 'lists', 'pack'],
      oneOf(LOG_LEVELS),
      'info',
      'The mildest events that are told, by serve on stdout and by other commands on stderr; at debug also each look-up that failed, and why.',
    ),
  ),
  rescore_at: reread(
    setting(
      ['serve'],
      orNone(timeOfDay),
      null,
      'Time of day, by the clock of this machine, at which the public checks are judged again by the model, lists and brands of then, and the overview tells what would come out otherwise; of nodes that share a log, give it to one.',
    ),
  ),
  backup_at: reread(
    setting(
      ['serve'],
      orNone(timeOfDay),
      null,
      'Time of day, by the clock of this host, at which the service makes a backup; a missed one is made at the next start.',
    ),
  ),
  backup_dir: setting(
    ['serve'],
    orNone(plainText('a folder')),
    null,
    'Folder of scheduled backups, best on another disk; backups in data_dir by default.',
  ),
  backup_keep: reread(
    setting(['serve'], wholeNumber(1, 1000), 7, 'Number of scheduled backups to keep; older ones are removed.'),
  ),
  log_checks: reread(
    setting(['serve'], yesOrNo, true, 'Whether each check is told in a line of its own, whatever log_level says.'),
  ),
};

/** The values of {@link PROGRAM_SETTINGS}. */
export type ProgramSettings = SettingValues<typeof PROGRAM_SETTINGS>;

/** A service that nobody can reach is a mistake. */
export const LISTEN_RULE: SettingRule<ProgramSettings> = {
  between: ['listen'],
  problem: ({ listen }) => (listen.length === 0 ? 'listen is empty, but must name where to serve' : null),
};

/** Nodes that hash clients by keys of their own count nothing together. */
export const LIMITER_RULE: SettingRule<Pick<ServerSettings & StoreSettings, 'limiter' | 'client_key_file'>> = {
  between: ['limiter', 'client_key_file'],
  problem: ({ limiter, client_key_file: key }) =>
    limiter.length > 0 && key === null
      ? 'limiter is set, but client_key_file is not: all nodes must know clients by one key'
      : null,
};

/** Processes that share a port get a client's requests by turns: a limit in each would be as many limits. */
export const REUSE_PORT_RULE: SettingRule<Pick<ProgramSettings & ServerSettings, 'reuse_port' | 'limiter'>> = {
  between: ['reuse_port', 'limiter'],
  problem: ({ reuse_port, limiter }) =>
    reuse_port && limiter.length === 0
      ? 'reuse_port is set, but limiter is not: each process would hold a limit of its own'
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
