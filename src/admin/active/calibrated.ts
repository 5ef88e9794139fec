import type { FeedbackSettings, JudgementSettings } from '#src/engine/assess/settings.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';

/** What says how to judge, and whether feedback has a say in it. */
export type CalibratedSettings = JudgementSettings & Partial<FeedbackSettings> & Pick<StoreSettings, 'data_dir'>;

/**
 * The settings by which to judge: where the operator wants it, with the base rate that feedback on checks by this model speaks
 * for. What reads that is loaded for nobody else. Throws StoreError where feedback cannot be read.
 */
export async function calibrated(chosen: CalibratedSettings, modelVersion: string): Promise<JudgementSettings> {
  if (!chosen.feedback_calibration) return chosen;
  const { readCalibration } = await import('./calibration.ts');
  const { shift } = readCalibration(chosen.data_dir, modelVersion);
  return shift === null ? chosen : { ...chosen, base_rate: sigmoid(logOddsOf(chosen.base_rate) + shift) };
}
