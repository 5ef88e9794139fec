import { type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { yesOrNo } from '#src/core/base/settings/setting-kind.ts';

/** Whether this box remembers what doubtful hosts have in common. */
export const CAMPAIGN_SETTINGS = {
  campaigns: setting(
    ['serve'],
    yesOrNo,
    false,
    'Whether a path or a form that public checks by several clients showed on several doubtful sites within a week counts against the next such site.',
  ),
};

/** The values of {@link CAMPAIGN_SETTINGS}. */
export type CampaignSettings = SettingValues<typeof CAMPAIGN_SETTINGS>;
