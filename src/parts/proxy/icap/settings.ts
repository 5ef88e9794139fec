import { listenAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, setting, tuning } from '#src/core/base/settings/setting.ts';
import { cidrBlock, listOf, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

/** Settings of the ICAP service. */
export const ICAP_SETTINGS = {
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
