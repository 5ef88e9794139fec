import { CHECKING, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { listOf, oneOf } from '#src/core/base/settings/setting-kind.ts';
import { HOST_PROBE_NAMES } from './observations.ts';

/** Settings of the probes. */
export const PROBE_SETTINGS = {
  probe_off: setting(CHECKING, listOf(oneOf([...HOST_PROBE_NAMES, 'page'])), [], 'Probes that are disabled.'),
};

/** The values of {@link PROBE_SETTINGS}. */
export type ProbeSettings = SettingValues<typeof PROBE_SETTINGS>;
