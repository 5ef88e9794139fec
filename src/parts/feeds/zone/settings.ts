import { portAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf } from '#src/core/base/settings/setting-kind.ts';
import { tsigKey } from './tsig-key.ts';
import { zonePeer } from './zone-peer.ts';

/** Settings of the zone transfer. */
export const ZONE_SETTINGS = {
  zone_listen: setting(
    ['serve'],
    listOf(portAddress),
    [],
    'Addresses from which name servers transfer the response policy zone, over UDP and TCP. None by default.',
  ),
  zone_peers: reloadable(
    setting(
      ['serve'],
      listOf(zonePeer),
      [],
      'Name servers that may transfer the zone; those that are not a block are notified of changes. Loopback addresses always may.',
    ),
  ),
  zone_keys: reloadable(
    setting(
      ['serve'],
      listOf(tsigKey),
      [],
      'Keys for signed transfers (TSIG). With a key, every request must be signed.',
    ),
  ),
};

/** Values of {@link ZONE_SETTINGS}. */
export type ZoneSettings = SettingValues<typeof ZONE_SETTINGS>;

/** A request names its key, so that a name must lead to one secret. */
export const ZONE_KEYS_RULE: SettingRule<ZoneSettings> = {
  between: ['zone_keys'],
  problem({ zone_keys: keys }) {
    const names = keys.map(({ name }) => name);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined ? null : `zone_keys has two keys with the name ${twice}`;
  },
};
