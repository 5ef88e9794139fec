import { CHECKING, reread, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, plainText } from '#src/core/base/settings/setting-kind.ts';

/** The commands that judge by them. */
const JUDGED_BY = [...CHECKING, 'rescore', 'lists', 'pack'] as const;

/** Which files hold the operator's own lists. */
export const LIST_SETTINGS = {
  block_list: reread(
    setting(JUDGED_BY, listOf(plainText('a file')), [], 'Files with hosts and URLs to block, one a line.'),
  ),
  allow_list: reread(
    setting(JUDGED_BY, listOf(plainText('a file')), [], 'Files with hosts and URLs to allow, one a line.'),
  ),
};

/** The values of {@link LIST_SETTINGS}. */
export type ListSettings = SettingValues<typeof LIST_SETTINGS>;
