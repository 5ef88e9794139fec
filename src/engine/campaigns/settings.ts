import { type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { booleanValue } from '#src/core/base/settings/setting-kind.ts';

/** Setting that enables campaign detection. */
export const CAMPAIGN_SETTINGS = {
  campaigns: setting(
    ['serve'],
    booleanValue,
    false,
    'Count a path or form against a site if public checks by several clients found it on several suspicious sites within a week.',
  ),
};

/** The values of {@link CAMPAIGN_SETTINGS}. */
export type CampaignSettings = SettingValues<typeof CAMPAIGN_SETTINGS>;
