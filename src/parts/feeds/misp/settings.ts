import { listenAddress } from '#src/core/base/settings/listen-address.ts';
import { reloadable, setting } from '#src/core/base/settings/setting.ts';
import { booleanValue, listOf } from '#src/core/base/settings/setting-kind.ts';

/** Settings of the module for MISP. */
export const MISP_SETTINGS = {
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
