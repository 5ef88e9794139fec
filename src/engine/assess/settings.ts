import { CHECKING, type SettingRule, type SettingValues, setting } from '#src/core/base/settings/setting.ts';
import { numberBetween, orNone, yesOrNo } from '#src/core/base/settings/setting-kind.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { AssessSettings, Models } from './models.ts';

/** The commands that judge. */
const JUDGING = [...CHECKING, 'model', 'rescore', 'lists', 'pack'] as const;

/** What the operator decides about judging; the model has thresholds of its own. */
export const ASSESS_SETTINGS = {
  warn_threshold: setting(
    JUDGING,
    orNone(numberBetween(0, 1)),
    null,
    "Probability from which on to warn, below that of blocks; the model's own by default.",
  ),
  block_threshold: setting(
    JUDGING,
    orNone(numberBetween(0, 1)),
    null,
    "Probability from which on to block; the model's own by default.",
  ),
  base_rate: setting(
    JUDGING,
    numberBetween(0, 1),
    0.05,
    'Share of malicious URLs expected among those that are checked.',
  ),
  feedback_calibration: setting(
    [...CHECKING, 'rescore', 'lists'],
    yesOrNo,
    false,
    'Whether accepted feedback, where there is enough of it, moves all probabilities a little, by at most half a nat of log-odds, from the next start on; doctor tells by how much it would.',
  ),
};

/** The values of {@link ASSESS_SETTINGS} that are about one verdict. */
export type JudgementSettings = Omit<SettingValues<typeof ASSESS_SETTINGS>, 'feedback_calibration'>;

/** Whether feedback has a say. */
export type FeedbackSettings = Pick<SettingValues<typeof ASSESS_SETTINGS>, 'feedback_calibration'>;

/** Without this nothing would ever be warned of. */
export const THRESHOLD_RULE: SettingRule<JudgementSettings> = {
  between: ['warn_threshold', 'block_threshold'],
  problem: (chosen) => thresholdProblem(chosen, null),
};

/** What is wrong with the thresholds, those of the model included where one is given. */
function thresholdProblem(chosen: JudgementSettings, model: Thresholds | null): string | null {
  const warn = chosen.warn_threshold ?? model?.warn;
  const block = chosen.block_threshold ?? model?.block;
  if (warn === undefined || block === undefined || warn < block) return null;
  const written = (threshold: number, own: number | null) => `${threshold}${own === null ? ' by the model' : ''}`;
  return `warn_threshold is ${written(warn, chosen.warn_threshold)}, but must be below block_threshold, which is ${written(block, chosen.block_threshold)}`;
}

/**
 * How to judge: as the operator decided, else as the model says.
 *
 * @throws SettingsError where the threshold of warnings is not below that of blocks.
 */
export function assessSettings(chosen: JudgementSettings, { fusion }: Pick<Models, 'fusion'>): AssessSettings {
  const problem = thresholdProblem(chosen, fusion.thresholds);
  if (problem !== null) throw new SettingsError([problem]);
  return {
    baseRate: chosen.base_rate,
    thresholds: {
      warn: chosen.warn_threshold ?? fusion.thresholds.warn,
      block: chosen.block_threshold ?? fusion.thresholds.block,
    },
  };
}
