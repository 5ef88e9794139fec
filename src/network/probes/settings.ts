import { CHECKING, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { listOf, oneOf, orNone, plainText } from '#src/core/base/settings/setting-kind.ts';
import { HOST_PROBE_NAMES } from './observations.ts';

const headerValue = plainText('up to 200 printable ASCII characters', (text) =>
  /^[!-~](?:[ -~]{0,198}[!-~])?$/.test(text) ? text : null,
);

/** Settings of the probes. */
export const PROBE_SETTINGS = {
  probe_off: setting(CHECKING, listOf(oneOf([...HOST_PROBE_NAMES, 'page'])), [], 'Probes that are disabled.'),
  user_agent: tuning(
    setting(
      CHECKING,
      orNone(headerValue),
      null,
      'User-Agent of page visits, for sites that must recognize them. By default, visits look like those of a browser.',
    ),
  ),
};

/** The values of {@link PROBE_SETTINGS}. */
export type ProbeSettings = SettingValues<typeof PROBE_SETTINGS>;
