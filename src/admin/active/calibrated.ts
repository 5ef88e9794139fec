import type { StoreSettings } from '#src/checks/store/settings.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import type { FeedbackSettings, VerdictSettings } from '#src/engine/assess/settings.ts';

/** Settings of verdicts and of their calibration by feedback. */
export type CalibratedSettings = VerdictSettings & Partial<FeedbackSettings> & Pick<StoreSettings, 'data_dir'>;

/**
 * Returns the settings with the base rate that accepted feedback on this model suggests, if the operator enabled that. Throws
 * StoreError if feedback cannot be read.
 */
export async function calibrated(chosen: CalibratedSettings, modelVersion: string): Promise<VerdictSettings> {
  if (!chosen.feedback_calibration) return chosen;
  const { readCalibration } = await import('./calibration.ts');
  const { shift } = readCalibration(chosen.data_dir, modelVersion);
  return shift === null ? chosen : { ...chosen, base_rate: sigmoid(logOddsOf(chosen.base_rate) + shift) };
}
