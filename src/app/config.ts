import { CHECK_SETTINGS } from '#src/checks/check/settings.ts';
import { DATABASE_RULE, STORE_SETTINGS } from '#src/checks/store/settings.ts';
import type { SettingKeysFor, SettingRule, SettingTable, SettingValues } from '#src/core/base/settings/setting.ts';
import { readSettings, type SettingSources, type SettingsReading } from '#src/core/base/settings/setting-reader.ts';
import { ASSESS_SETTINGS, CAMPAIGN_SETTINGS, THRESHOLD_RULE } from '#src/engine/assess/settings.ts';
import { MESSAGE_SETTINGS, MESSAGE_THRESHOLD_RULE } from '#src/engine/mail-verdict/settings.ts';
import { EGRESS_SETTINGS } from '#src/network/egress/settings.ts';
import { HTML_SETTINGS } from '#src/network/html/settings.ts';
import { LIST_SETTINGS, LIST_SOURCE_SETTINGS, LIST_SOURCES_RULE } from '#src/network/lists/settings.ts';
import { PROBE_SETTINGS } from '#src/network/probes/settings.ts';
import { REGISTRY_SETTINGS } from '#src/network/registry/settings.ts';
import { AUTH_RULE } from '#src/service/server/session/auth-settings.ts';
import { SERVER_SETTINGS } from '#src/service/server/settings.ts';
import { PART_SETTINGS } from './parts/part-basis.ts';
import { LIMITER_RULE, LISTEN_RULE, LISTENERS_RULE, PROGRAM_SETTINGS, REUSE_PORT_RULE, TLS_RULE } from './settings.ts';

/** The settings of the core by what they are needed for, in the order of help; what only parts need is empty. */
const CORE_SETTINGS = {
  'The process': PROGRAM_SETTINGS,
  'Logs and data': STORE_SETTINGS,
  'A log server': {},
  Notifications: {},
  'The service and its clients': SERVER_SETTINGS,
  'Feeds and MISP': {},
  'Web proxies': {},
  'Mail servers': {},
  Verdicts: { ...ASSESS_SETTINGS, ...MESSAGE_SETTINGS, ...CAMPAIGN_SETTINGS },
  'Your own lists': { ...LIST_SETTINGS, ...LIST_SOURCE_SETTINGS },
  'Timeouts and concurrency': CHECK_SETTINGS,
  Probes: PROBE_SETTINGS,
  'The network': EGRESS_SETTINGS,
  'Registries of domains': REGISTRY_SETTINGS,
  Pages: HTML_SETTINGS,
};

const ALL_TABLES: readonly Readonly<Record<string, SettingTable>>[] = [
  CORE_SETTINGS,
  ...PART_SETTINGS.map(({ tables }) => tables),
];

/** The tables of settings by what they are needed for, in the order of help. */
export const SETTING_GROUPS: readonly (readonly [need: string, table: SettingTable])[] = Object.keys(CORE_SETTINGS).map(
  (need) => [need, Object.assign({}, ...ALL_TABLES.map((tables) => tables[need]))],
);

type TablesIn<Tables> = Tables extends unknown ? Tables[keyof Tables] : never;

/** The tables of the core and of the parts. */
type AnyTable = TablesIn<typeof CORE_SETTINGS | (typeof PART_SETTINGS)[number]['tables']>;
type KeysOf<Table> = Table extends unknown ? keyof Table : never;
type RowOf<Table, Key extends PropertyKey> = Table extends Readonly<Record<Key, infer Row>> ? Row : never;

/** Every setting, out of the tables of the core and of the parts; help and the reference keep this order. */
export const SETTINGS: { readonly [Key in KeysOf<AnyTable>]: RowOf<AnyTable, Key> } = Object.assign(
  {},
  ...SETTING_GROUPS.map(([, table]) => table),
);

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

/** The rows that mean something to a command. */
export function settingsFor(command: string, table: SettingTable = SETTINGS): SettingTable {
  return Object.fromEntries(
    Object.entries(table).filter(
      ([, row]) => ABOUT_SETTINGS.some((one) => one === command) || row.for.includes(command),
    ),
  );
}

/** Rules between settings. */
const RULES: readonly SettingRule<Config>[] = [
  THRESHOLD_RULE,
  MESSAGE_THRESHOLD_RULE,
  LISTEN_RULE,
  LISTENERS_RULE,
  TLS_RULE,
  LIMITER_RULE,
  REUSE_PORT_RULE,
  AUTH_RULE,
  DATABASE_RULE,
  LIST_SOURCES_RULE,
  ...PART_SETTINGS.flatMap(({ rules }): readonly SettingRule<Config>[] => rules),
];

/** Keys that are not settings but are allowed beside them. */
const BESIDES = ['config'];

/**
 * Reads the configuration from all its sources.
 *
 * @throws OperationError with every problem at once.
 */
export function readConfig(sources: SettingSources): SettingsReading<Config> {
  return readSettings(SETTINGS, sources, { otherKeys: BESIDES, rules: RULES });
}

/** The settings of a running service after it has read them again. */
export interface Changed<Values> {
  /** The values that are active from now on. */
  readonly active: Values;
  /** Keys of changed settings that require a restart. */
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
