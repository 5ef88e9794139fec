import { CHECKING, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { numberBetween, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** What the operator decides about reading pages. */
export const HTML_SETTINGS = {
  body_bytes: setting(
    CHECKING,
    wholeNumber(KIB, 64 * MIB),
    2 * MIB,
    'Bytes of a page that are kept after decompression, and read.',
  ),
  html_timeout_seconds: setting(
    CHECKING,
    numberBetween(0, 60),
    1,
    'Seconds of processor time for reading one page, counted as work, so that a busy host reads as much as an idle one. What was read by then is classified. A thread that uses ten times as much, or stands still for as long, is ended.',
  ),
};

/** The values of {@link HTML_SETTINGS}. */
export type HtmlSettings = SettingValues<typeof HTML_SETTINGS>;
