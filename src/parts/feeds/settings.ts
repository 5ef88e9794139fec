import { listenAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, setting } from '#src/core/base/settings/setting.ts';
import { booleanValue, cidrBlock, listOf } from '#src/core/base/settings/setting-kind.ts';
import { ZONE_KEYS_RULE, ZONE_SETTINGS } from '#src/parts/feeds/zone/protocol/settings.ts';

/** Settings of the feeds. */
const FEED_SETTINGS = {
  feeds: reloadable(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Serve what is blocked at /feeds, for firewalls, resolvers and proxies that pull it.',
    ),
  ),
  feed_peers: reloadable(
    setting(
      ['serve'],
      listOf(cidrBlock),
      [],
      'Networks whose hosts may pull feeds without a key. Others need a key with the scope feed.',
    ),
  ),
  feed_checks: reloadable(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Add to the feeds what public checks blocked, at most five minutes later. Private checks are never in a feed.',
    ),
  ),
};

/** Settings of the module for MISP. */
const MISP_SETTINGS = {
  misp: reloadable(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Answer MISP at /modules and /query, as misp-modules does: an analyst gets the verdict on an attribute.',
    ),
  ),
  misp_listen: setting(
    ['serve'],
    listOf(listenAddress),
    [],
    'Addresses for MISP alone, at whose root /modules and /query are; needed with base_path, since MISP knows no path.',
  ),
};

/** Settings of what appliances, name servers and MISP take. */
export const FEEDS_SETTINGS = {
  tables: { 'Feeds and MISP': { ...FEED_SETTINGS, ...ZONE_SETTINGS, ...MISP_SETTINGS } },
  rules: [ZONE_KEYS_RULE],
};
