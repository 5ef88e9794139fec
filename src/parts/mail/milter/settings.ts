import { listenAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { booleanValue, cidrBlock, listOf, oneOf } from '#src/core/base/settings/setting-kind.ts';

/** Actions on a blocked mail. */
const BLOCK_ACTIONS = ['mark', 'quarantine', 'reject'] as const;

/** Settings of the milter. */
export const MILTER_SETTINGS = {
  milter_listen: setting(
    ['serve'],
    listOf(listenAddress),
    [],
    'Addresses for the milter protocol of Postfix and Sendmail. None by default.',
  ),
  milter_peers: reloadable(
    setting(
      ['serve'],
      listOf(cidrBlock),
      [],
      'Mail servers that may use the milter. Loopback addresses and unix sockets always may.',
    ),
  ),
  milter_on_block: reloadable(
    setting(
      ['serve'],
      oneOf(BLOCK_ACTIONS),
      'mark',
      'Action for a blocked mail: headers only, quarantine of the mail server, or rejection with 550.',
    ),
  ),
  milter_skip_authenticated: reloadable(
    setting(['serve'], booleanValue, false, 'Do not read mails of users who authenticated to the mail server.'),
  ),
};

/** Values of {@link MILTER_SETTINGS}. */
export type MilterSettings = SettingValues<typeof MILTER_SETTINGS>;
