import { CHECKING, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { listOf, numberBetween, textOf } from '#src/core/base/settings/setting-kind.ts';
import { formatSuffixServer, parseRdapServer, parseWhoisServer } from './suffix-server.ts';

const rdapServer = textOf(
  'a suffix and its URL, such as com=https://rdap.example/',
  parseRdapServer,
  formatSuffixServer,
);
const whoisServer = textOf('a suffix and its host, such as com=whois.example', parseWhoisServer, formatSuffixServer);

/** Settings of registry lookups. */
export const REGISTRY_SETTINGS = {
  rdap_server: tuning(setting(CHECKING, listOf(rdapServer), [], 'RDAP servers that replace the built-in ones.')),
  whois_server: tuning(setting(CHECKING, listOf(whoisServer), [], 'WHOIS servers that replace the built-in ones.')),
  registry_timeout_seconds: tuning(
    setting(CHECKING, numberBetween(0, 60), 3, 'Seconds for a registration query over RDAP, and the same over WHOIS.'),
  ),
};

/** The values of {@link REGISTRY_SETTINGS}. */
export type RegistrySettings = SettingValues<typeof REGISTRY_SETTINGS>;
