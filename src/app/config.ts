import { CHECK_SETTINGS } from '#src/checks/check/settings.ts';
import { DATABASE_RULE, STORE_SETTINGS } from '#src/checks/store/settings.ts';
import type {
  CommandsWithSettings,
  SettingKeysFor,
  SettingRule,
  SettingTable,
  SettingValues,
} from '#src/core/base/settings/setting.ts';
import { readSettings, type SettingSources, type SettingsReading } from '#src/core/base/settings/setting-reader.ts';
import { ASSESS_SETTINGS, THRESHOLD_RULE } from '#src/engine/assess/settings.ts';
import { CAMPAIGN_SETTINGS } from '#src/engine/campaigns/settings.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { LIST_SOURCE_SETTINGS } from '#src/network/lists/list-source.ts';
import { LIST_SETTINGS } from '#src/network/lists/settings.ts';
import { PROBE_SETTINGS } from '#src/network/probes/settings.ts';
import { REGISTRY_SETTINGS } from '#src/network/registry/settings.ts';
import { FEED_SETTINGS } from '#src/service/feeds/settings.ts';
import { GATE_SETTINGS } from '#src/service/gate/settings.ts';
import { ICAP_SETTINGS } from '#src/service/icap/settings.ts';
import { MILTER_SETTINGS } from '#src/service/milter/settings.ts';
import { MISP_SETTINGS } from '#src/service/misp/settings.ts';
import { NOTIFICATION_SETTINGS, WEBHOOK_RULE } from '#src/service/notifications/settings.ts';
import { AUTH_RULE } from '#src/service/server/session/auth-settings.ts';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';
import { SYSLOG_RULE, SYSLOG_SETTINGS } from '#src/service/syslog/settings.ts';
import { ZONE_KEYS_RULE, ZONE_SETTINGS } from '#src/service/zone/settings.ts';
import { ICAP_TLS_RULE, LIMITER_RULE, LISTEN_RULE, PROGRAM_SETTINGS, REUSE_PORT_RULE, TLS_RULE } from './settings.ts';

/** Every setting, out of the tables of the rooms that read them; help and the README keep this order. */
export const SETTINGS = {
  ...PROGRAM_SETTINGS,
  ...STORE_SETTINGS,
  ...SYSLOG_SETTINGS,
  ...NOTIFICATION_SETTINGS,
  ...SERVER_SETTINGS,
  ...FEED_SETTINGS,
  ...ZONE_SETTINGS,
  ...MISP_SETTINGS,
  ...ICAP_SETTINGS,
  ...GATE_SETTINGS,
  ...MILTER_SETTINGS,
  ...ASSESS_SETTINGS,
  ...CAMPAIGN_SETTINGS,
  ...LIST_SETTINGS,
  ...LIST_SOURCE_SETTINGS,
  ...CHECK_SETTINGS,
  ...PROBE_SETTINGS,
  ...EGRESS_SETTINGS,
  ...REGISTRY_SETTINGS,
  ...HTML_SETTINGS,
};

/** The tables of settings by what they are needed for, in the order of help. */
export const SETTING_GROUPS: readonly (readonly [need: string, table: SettingTable])[] = [
  ['The process', PROGRAM_SETTINGS],
  ['Logs and data', STORE_SETTINGS],
  ['A log server', SYSLOG_SETTINGS],
  ['Notifications', NOTIFICATION_SETTINGS],
  ['The service and its clients', SERVER_SETTINGS],
  ['Feeds and MISP', { ...FEED_SETTINGS, ...ZONE_SETTINGS, ...MISP_SETTINGS }],
  ['Web proxies', { ...ICAP_SETTINGS, ...GATE_SETTINGS }],
  ['Mail servers', MILTER_SETTINGS],
  ['Verdicts', { ...ASSESS_SETTINGS, ...CAMPAIGN_SETTINGS }],
  ['Your own lists', { ...LIST_SETTINGS, ...LIST_SOURCE_SETTINGS }],
  ['Timeouts and concurrency', CHECK_SETTINGS],
  ['Probes', PROBE_SETTINGS],
  ['The network', EGRESS_SETTINGS],
  ['Registries of domains', REGISTRY_SETTINGS],
  ['Pages', HTML_SETTINGS],
];

/** The settings that most services are given; help of a command shows no other. */
export const FIRST_SETTINGS: readonly (keyof typeof SETTINGS)[] = [
  ...(['listen', 'host', 'trusted_proxy', 'tls_certificate', 'tls_key', 'admin_listen', 'contact'] as const),
  ...(['data_dir', 'retention_days', 'public_history', 'rate_limit', 'log_level'] as const),
  ...(['network', 'dns_server', 'egress_proxy'] as const),
];

/** The value of every setting. */
export type Config = SettingValues<typeof SETTINGS>;

/** The values that mean something to a command. */
export type ConfigFor<Command extends string> = Command extends (typeof ABOUT_SETTINGS)[number]
  ? Config
  : Pick<Config, SettingKeysFor<typeof SETTINGS, Command>>;

/** The commands that are about the settings themselves, or about all that a service needs, and take them all. */
const ABOUT_SETTINGS = ['config', 'doctor'] as const;

/** The commands that settings are for. */
export type ConfiguredCommand = CommandsWithSettings<typeof SETTINGS>;

/** The rows that mean something to a command. */
export function settingsFor(command: string, table: SettingTable = SETTINGS): SettingTable {
  return Object.fromEntries(
    Object.entries(table).filter(
      ([, row]) => ABOUT_SETTINGS.some((one) => one === command) || row.for.includes(command),
    ),
  );
}

/** What must hold between settings. */
const RULES: readonly SettingRule<Config>[] = [
  THRESHOLD_RULE,
  LISTEN_RULE,
  TLS_RULE,
  ICAP_TLS_RULE,
  LIMITER_RULE,
  REUSE_PORT_RULE,
  AUTH_RULE,
  DATABASE_RULE,
  SYSLOG_RULE,
  WEBHOOK_RULE,
  ZONE_KEYS_RULE,
];

/** Keys that are not settings but are allowed beside them. */
const BESIDES = ['config'];

/**
 * Reads the configuration from all its sources.
 *
 * @throws SettingsError with every problem at once.
 */
export function readConfig(sources: SettingSources): SettingsReading<Config> {
  return readSettings(SETTINGS, sources, { otherKeys: BESIDES, rules: RULES });
}

/** The settings of a running service after it has read them again. */
export interface Changed<Values> {
  /** The values that are active from now on. */
  readonly active: Values;
  /** The keys of those that were changed, and take a restart. */
  readonly needRestart: readonly string[];
}

/** Returns what a running service applies of reloaded settings. */
export function changeRunning<Values extends Partial<Config>>(running: Values, next: Values): Changed<Values> {
  const changed = Object.entries(next).filter(([key, value]) => !Bun.deepEquals(value, running[key as keyof Values]));
  const isReloadable = ([key]: readonly [string, unknown]) => SETTINGS[key as keyof typeof SETTINGS].isReloadable;
  return {
    active: { ...running, ...Object.fromEntries(changed.filter(isReloadable)) },
    needRestart: changed.filter((one) => !isReloadable(one)).map(([key]) => key),
  };
}

/** The environment of this process; the only place that reads settings from it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
