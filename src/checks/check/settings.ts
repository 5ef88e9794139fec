import { CHECKING, constant, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { numberBetween, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

/** Settings of checks. */
export const CHECK_SETTINGS = {
  deadline_seconds: setting(
    CHECKING,
    numberBetween(0, 600),
    8,
    'Seconds after which a check returns what it has, time in the queue included.',
  ),
  check_concurrency: tuning(
    setting(
      CHECKING,
      wholeNumber(1),
      16,
      'Maximum number of checks that use the network at a time; public and private checks are counted separately.',
    ),
  ),
  client_concurrency: tuning(
    setting(CHECKING, wholeNumber(1), 4, 'Maximum number of checks of one client that use the network at a time.'),
  ),
  queue_length: constant(
    setting(
      CHECKING,
      wholeNumber(0),
      100,
      'Maximum number of queued checks before further ones are refused; public and private checks are counted separately.',
    ),
  ),
};

/** The values of {@link CHECK_SETTINGS}. */
export type CheckSettings = SettingValues<typeof CHECK_SETTINGS>;
