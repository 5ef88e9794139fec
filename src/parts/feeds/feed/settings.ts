import { reloadable, setting } from '#src/core/base/settings/setting.ts';
import { booleanValue, cidrBlock, listOf } from '#src/core/base/settings/setting-kind.ts';

/** Settings of the feeds. */
export const FEED_SETTINGS = {
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
