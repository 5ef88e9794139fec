import { ENOUGH_FEEDBACK, type FeedbackCalibration, readCalibration } from '#src/admin/active/calibration.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import { feedbackFileIn } from '#src/checks/store/feedback/feedback-file.ts';
import type { FeedbackReview } from '#src/checks/store/feedback/feedback-queue.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { openFeedbackReview } from '#src/parts/fleet/feedback.ts';

/** Feedback that waits, and what was accepted says of the calibration. */
export const examineFeedback: Examination = async (config) => {
  const { data_dir: dataDir, feedback_calibration: isApplied } = config;
  try {
    await using review = await openFeedbackReview(config);
    if (review === null) return [well('feedback', 'No feedback yet.')];
    const { version } = await openModels(dataDir);
    return [await waitingIn(review), calibrationSaid(readCalibration(dataDir, version), isApplied)];
  } catch (error) {
    if (error instanceof OperationError) return [];
    if (!(error instanceof StoreError)) throw error;
    if (config.log_database.length > 0) return [better('feedback', error.message, 'See the lines on the databases.')];
    return [broken('feedback', error.message, `Remove ${feedbackFileIn(dataDir)}; what was accepted is in the lists.`)];
  }
};

async function waitingIn(review: FeedbackReview): Promise<Finding> {
  const { waiting } = await review.counts();
  if (waiting === 0) return well('feedback', 'No feedback is waiting.');
  return better('feedback', `Waiting feedback: ${waiting}.`, 'Review it: lurecheck feedback list.');
}

function calibrationSaid({ malicious, benign, shift }: FeedbackCalibration, isApplied: boolean): Finding {
  const text = `Accepted feedback on checks by this model: ${malicious} malicious, ${benign} benign`;
  if (shift === null) {
    return well('feedback_calibration', `${text}; calibration requires ${ENOUGH_FEEDBACK}.`);
  }
  const moved = `${shift < 0 ? '−' : '+'}${Math.abs(shift).toFixed(2)}`;
  const finding = `${text}; it shifts the log-odds of every check by ${moved}, which is ${isApplied ? '' : 'not '}applied.`;
  return isApplied
    ? well('feedback_calibration', finding)
    : better('feedback_calibration', finding, 'To apply it, set feedback_calibration and restart the service.');
}
