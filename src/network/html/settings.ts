import { CHECKING, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { numberBetween, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Settings of the HTML parser. */
export const HTML_SETTINGS = {
  body_bytes: tuning(
    setting(
      CHECKING,
      wholeNumber(KIB, 64 * MIB),
      2 * MIB,
      'Maximum size of a page to read, in bytes after decompression.',
    ),
  ),
  html_timeout_seconds: tuning(
    setting(
      CHECKING,
      numberBetween(0, 60),
      1,
      'Seconds of processor time to parse one page. What was parsed by then is classified. A thread that uses ten times as much, or stalls as long, is terminated.',
    ),
  ),
};

/** The values of {@link HTML_SETTINGS}. */
export type HtmlSettings = SettingValues<typeof HTML_SETTINGS>;
