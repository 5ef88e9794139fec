import { systemClock } from '#src/core/base/clock.ts';
import { feedbackFileIn, hasFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { ENOUGH_FEEDBACK, type FeedbackCalibration, readCalibration } from '#src/admin/active/calibration.ts';
import { openModels } from '#src/admin/active/models.ts';
import { better, broken, type Examination, type Finding, well } from './finding.ts';

/** Feedback that waits, and what was accepted says of the calibration. */
export const examineFeedback: Examination = async ({ data_dir: dataDir, feedback_calibration: isApplied }) => {
  if (!hasFeedback(dataDir)) return [well('feedback', 'Nobody gave feedback yet.')];
  try {
    const { version } = await openModels(dataDir);
    return [waitingIn(dataDir), calibrationSaid(readCalibration(dataDir, version), isApplied)];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [broken('feedback', error.message, `Remove ${feedbackFileIn(dataDir)}; what was accepted is in the lists.`)];
  }
};

function waitingIn(dataDir: string): Finding {
  using queue = openFeedback({ dataDir, now: systemClock.now });
  const { waiting } = queue.counts();
  if (waiting === 0) return well('feedback', 'No feedback waits.');
  return better('feedback', `Feedback waits, ${waiting} in number.`, 'Look at it: lurecheck feedback list.');
}

function calibrationSaid({ malicious, benign, shift }: FeedbackCalibration, isApplied: boolean): Finding {
  const said = `Of accepted feedback on checks by this model, ${malicious} say malicious and ${benign} benign`;
  if (shift === null) {
    return well('feedback_calibration', `${said}; ${ENOUGH_FEEDBACK} are needed to say anything of its probabilities.`);
  }
  const moved = `${shift < 0 ? '−' : '+'}${Math.abs(shift).toFixed(2)}`;
  const finding = `${said}: that moves the log-odds of every check by ${moved}, which is ${isApplied ? '' : 'not '}applied.`;
  return isApplied
    ? well('feedback_calibration', finding)
    : better('feedback_calibration', finding, 'Where that is wanted: feedback_calibration, from the next start on.');
}
