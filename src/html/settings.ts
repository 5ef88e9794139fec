import { CHECKING, type SettingValues, setting } from '#src/base/setting.ts';
import { numberBetween } from '#src/base/setting-kind.ts';

/** What the operator decides about reading pages. */
export const HTML_SETTINGS = {
  html_timeout_seconds: setting(CHECKING, numberBetween(0, 60), 1, 'Seconds for reading one page.'),
};

/** The values of {@link HTML_SETTINGS}. */
export type HtmlSettings = SettingValues<typeof HTML_SETTINGS>;
