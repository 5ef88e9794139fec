import { CHECKING, type SettingRule, type SettingValues, setting, tuning } from '#src/core/base/settings/setting.ts';
import { booleanValue, numberBetween, orNone } from '#src/core/base/settings/setting-kind.ts';
import { SettingsError } from '#src/core/base/settings/setting-source.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';

/** Commands that classify URLs. */
const SCORING_COMMANDS = [...CHECKING, 'model', 'rescore', 'lists', 'pack', 'gate'] as const;

/** Settings of the classification; the model has thresholds of its own. */
export const ASSESS_SETTINGS = {
  warn_threshold: setting(
    SCORING_COMMANDS,
    orNone(numberBetween(0, 1)),
    null,
    'Probability from which on the decision is warn, below block_threshold; set by the model by default.',
  ),
  block_threshold: setting(
    SCORING_COMMANDS,
    orNone(numberBetween(0, 1)),
    null,
    'Probability from which on the decision is block; set by the model by default.',
  ),
  base_rate: setting(
    SCORING_COMMANDS,
    numberBetween(0, 1),
    0.05,
    'Expected share of malicious URLs among those that are checked.',
  ),
  feedback_calibration: tuning(
    setting(
      [...CHECKING, 'rescore', 'lists'],
      booleanValue,
      false,
      'Let accepted feedback shift all probabilities by at most 0.5 in log-odds, from the next start on, once there is enough of it. doctor shows the shift.',
    ),
  ),
};

/** Values of {@link ASSESS_SETTINGS} for one verdict. */
export type VerdictSettings = Omit<SettingValues<typeof ASSESS_SETTINGS>, 'feedback_calibration'>;

/** Setting that lets feedback shift probabilities. */
export type FeedbackSettings = Pick<SettingValues<typeof ASSESS_SETTINGS>, 'feedback_calibration'>;

/** Setting that enables campaign detection. */
export const CAMPAIGN_SETTINGS = {
  campaigns: setting(
    ['serve'],
    booleanValue,
    false,
    'Count a path or form against a site if public checks by several clients found it on several suspicious sites within a week.',
  ),
};

/** The values of {@link CAMPAIGN_SETTINGS}. */
export type CampaignSettings = SettingValues<typeof CAMPAIGN_SETTINGS>;

/** The warning threshold must be below the block threshold; otherwise no warning is possible. */
export const THRESHOLD_RULE: SettingRule<VerdictSettings> = {
  between: ['warn_threshold', 'block_threshold'],
  problem: (chosen) => thresholdProblem(chosen, null),
};

/** Returns what is wrong with the thresholds, including those of the model if given; null if nothing. */
function thresholdProblem(chosen: VerdictSettings, model: Thresholds | null): string | null {
  const warn = chosen.warn_threshold ?? model?.warn;
  const block = chosen.block_threshold ?? model?.block;
  if (warn === undefined || block === undefined || warn < block) return null;
  const written = (threshold: number, own: number | null) => `${threshold}${own === null ? ' by the model' : ''}`;
  return `warn_threshold is ${written(warn, chosen.warn_threshold)}, but must be below block_threshold, which is ${written(block, chosen.block_threshold)}`;
}

/**
 * Returns the base rate and the thresholds: the operator's, or else the model's.
 *
 * @throws SettingsError if the warning threshold is not below the block threshold.
 */
export function assessSettings(chosen: VerdictSettings, { fusion }: Pick<Models, 'fusion'>): AssessSettings {
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

/** Everything that classifies, loaded once. */
export interface Models {
  readonly knowledge: Knowledge;
  /** Brands that the operator configured. */
  readonly configuredBrands: readonly ConfiguredBrand[];
  readonly lexical: LexicalModel;
  readonly fusion: FusionModel;
  /** Version of the whole set; equal versions and observations give equal results. */
  readonly version: string;
}

/** Base rate and thresholds of a classification. */
export interface AssessSettings {
  /** Expected share of malicious URLs, in (0, 1). */
  readonly baseRate: number;
  readonly thresholds: Thresholds;
}
