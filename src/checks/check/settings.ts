import { CHECKING, constant, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { numberBetween, wholeNumber } from '#src/core/base/settings/setting-kind.ts';

/** What the operator decides about checks as such. */
export const CHECK_SETTINGS = {
  deadline_seconds: setting(
    CHECKING,
    numberBetween(0, 600),
    8,
    'Seconds after which a check answers with what it has, the wait for its turn included.',
  ),
  check_concurrency: setting(
    CHECKING,
    wholeNumber(1),
    16,
    'Checks that may look at the network at a time; public and private ones are counted apart.',
  ),
  client_concurrency: setting(
    CHECKING,
    wholeNumber(1),
    4,
    'Checks of one client that may look at the network at a time.',
  ),
  queue_length: constant(
    setting(
      CHECKING,
      wholeNumber(0),
      100,
      'Checks that may wait for their turn before others are refused; public and private ones are counted apart.',
    ),
  ),
};

/** The values of {@link CHECK_SETTINGS}. */
export type CheckSettings = SettingValues<typeof CHECK_SETTINGS>;
