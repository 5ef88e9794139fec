import { listenAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { cidrBlock, listOf, wholeNumber } from '#src/core/base/settings/setting-kind.ts';
import { GATE_SETTINGS } from '#src/parts/proxy/gate/settings.ts';

/** Settings of the ICAP service. */
const ICAP_SETTINGS = {
  icap_listen: setting(
    ['serve'],
    listOf(listenAddress),
    [],
    'Addresses for ICAP requests of web proxies, usually port 1344. None by default.',
  ),
  icap_tls_listen: setting(
    ['serve'],
    listOf(listenAddress),
    [],
    'Addresses for ICAP over TLS, usually port 11344, with tls_certificate. None by default.',
  ),
  icap_peers: reloadable(
    setting(
      ['serve'],
      listOf(cidrBlock),
      [],
      'Proxies that may send ICAP requests. Loopback addresses and unix sockets always may.',
    ),
  ),
  icap_connections: tuning(
    setting(['serve'], wholeNumber(1, 10_000), 500, 'Maximum number of ICAP connections; further ones are refused.'),
  ),
};

const TABLE = { ...ICAP_SETTINGS, ...GATE_SETTINGS };

/** ICAP over TLS uses the certificate of the service. */
const TLS_RULE: SettingRule<SettingValues<typeof TABLE> & { readonly tls_certificate: string | null }> = {
  between: ['icap_tls_listen', 'tls_certificate'],
  problem: ({ icap_tls_listen: addresses, tls_certificate: certificate }) =>
    addresses.length > 0 && certificate === null ? 'icap_tls_listen is set, but tls_certificate is not' : null,
};

/** Settings of web proxies. */
export const PROXY_SETTINGS = { tables: { 'Web proxies': TABLE }, rules: [TLS_RULE] };
