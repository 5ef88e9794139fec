import { reloadable, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import {
  booleanValue,
  numberBetween,
  oneOf,
  orNone,
  plainText,
  wholeNumber,
} from '#src/core/base/settings/setting-kind.ts';

/** `watch` lets every request pass and records what `hold` would have held. */
const GATE_MODES = ['watch', 'hold'] as const;

/** An http or https address without credentials, query and final slash. */
const publicAddress = plainText('an address such as https://check.example or https://check.example/path', (text) => {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null;
  return url.href.replace(/\/$/, '');
});

/** Settings of the gate, which decides on the requests that proxies pass on. */
export const GATE_SETTINGS = {
  gate_mode: reloadable(
    setting(
      ['serve', 'gate'],
      oneOf(GATE_MODES),
      'watch',
      'Hold requests for suspicious links, or only record what would be held.',
    ),
  ),
  gate_block: tuning(
    reloadable(
      setting(
        ['serve', 'gate'],
        orNone(numberBetween(0, 1)),
        null,
        'Probability from which on a link is held by its spelling; set by the model by default, so that at most 1 in 20,000 busy hosts is held.',
      ),
    ),
  ),
  gate_deep_per_minute: tuning(
    reloadable(
      setting(
        ['serve'],
        wholeNumber(0, 6000),
        60,
        'Maximum number of hosts per minute that are probed after a doubtful request passed: DNS, registration and certificate, never the URL. 0 disables it.',
      ),
    ),
  ),
  gate_log_users: reloadable(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Record the name of the user with a held request, as the proxy states it, in the private log.',
    ),
  ),
  gate_override: reloadable(
    setting(
      ['serve'],
      booleanValue,
      false,
      'Let people open a held site after a warning, for ten minutes and for one client. Sites that a list blocks stay held.',
    ),
  ),
  public_url: reloadable(
    setting(
      ['serve'],
      orNone(publicAddress),
      null,
      'Address of the web page, for the link on the block page by which people report a mistake.',
    ),
  ),
};

/** Values of {@link GATE_SETTINGS}. */
export type GateSettings = SettingValues<typeof GATE_SETTINGS>;
