import { CHECKING, reloadable, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, plainText } from '#src/core/base/settings/setting-kind.ts';

/** The commands that classify by lists. */
const CLASSIFYING_COMMANDS = [...CHECKING, 'rescore', 'lists', 'pack', 'gate'] as const;

/** Settings of the operator's list files. */
export const LIST_SETTINGS = {
  block_list: reloadable(
    setting(CLASSIFYING_COMMANDS, listOf(plainText('a file')), [], 'Files with hosts and URLs to block, one per line.'),
  ),
  allow_list: reloadable(
    setting(CLASSIFYING_COMMANDS, listOf(plainText('a file')), [], 'Files with hosts and URLs to allow, one per line.'),
  ),
};

/** The values of {@link LIST_SETTINGS}. */
export type ListSettings = SettingValues<typeof LIST_SETTINGS>;
