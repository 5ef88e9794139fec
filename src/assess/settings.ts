import { CHECKING, type SettingValues, setting } from '#src/base/setting.ts';
import { numberBetween, orNone } from '#src/base/setting-kind.ts';
import type { AssessSettings, Models } from './assess.ts';

/** What the operator decides about judging; the model has thresholds of its own. */
export const ASSESS_SETTINGS = {
  warn_threshold: setting(
    CHECKING,
    orNone(numberBetween(0, 1)),
    null,
    "Probability from which on to warn; the model's own by default.",
  ),
  block_threshold: setting(
    CHECKING,
    orNone(numberBetween(0, 1)),
    null,
    "Probability from which on to block; the model's own by default.",
  ),
  base_rate: setting(
    CHECKING,
    numberBetween(0, 1),
    0.05,
    'Share of malicious URLs expected among those that are checked.',
  ),
};

/** The values of {@link ASSESS_SETTINGS}. */
export type JudgementSettings = SettingValues<typeof ASSESS_SETTINGS>;

/** How to judge: as the operator decided, else as the model says. */
export function assessSettings(chosen: JudgementSettings, { fusion }: Pick<Models, 'fusion'>): AssessSettings {
  return {
    baseRate: chosen.base_rate,
    thresholds: {
      warn: chosen.warn_threshold ?? fusion.thresholds.warn,
      block: chosen.block_threshold ?? fusion.thresholds.block,
    },
  };
}
