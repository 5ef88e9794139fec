import { systemClock } from '#src/core/base/clock.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { hasFeedback, type JudgedFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';

/** What accepted feedback says of the probabilities of a model. */
export interface FeedbackCalibration {
  /** Checks that were malicious, and that were not, as somebody said and the operator agreed. */
  readonly malicious: number;
  readonly benign: number;
  /** What would be added to the log-odds (nats) of every check; null where there is too little to tell. */
  readonly shift: number | null;
}

/** Decided: fewer say more of who happens to speak up than of the model. */
export const ENOUGH_FEEDBACK = 30;

/** Decided: people speak up about mistakes alone, so that what they say is of one side, and never moves much. */
const MAX_SHIFT = 0.5;

/** The precision of a prior around no shift at all, as that of a normal distribution with half a nat. */
const PRIOR_PRECISION = 4;

const STEPS = 50;

/**
 * The one shift of all log-odds by which the probabilities fit best what feedback says of them, held back by a prior: a
 * logistic regression of an intercept, by Newton's method. Only checks by the model in force count, whatever it was taught.
 */
export function calibrationOf(judged: readonly JudgedFeedback[], modelVersion: string): FeedbackCalibration {
  const own = judged.filter((one) => shippedPart(one.modelVersion) === shippedPart(modelVersion));
  const malicious = own.filter(({ verdict }) => verdict === 'malicious').length;
  const counts = { malicious, benign: own.length - malicious };
  if (own.length < ENOUGH_FEEDBACK) return { ...counts, shift: null };
  let shift = 0;
  for (let step = 0; step < STEPS; step++) {
    let [slope, curvature] = [-PRIOR_PRECISION * shift, PRIOR_PRECISION];
    for (const { verdict, probability } of own) {
      const now = sigmoid(logOddsOf(probability) + shift);
      slope += (verdict === 'malicious' ? 1 : 0) - now;
      curvature += now * (1 - now);
    }
    // One step at a time: far from its goal, Newton's method goes too far.
    shift += Math.min(Math.max(slope / curvature, -1), 1);
  }
  return { ...counts, shift: Math.min(Math.max(shift, -MAX_SHIFT), MAX_SHIFT) };
}

/** The same of a data directory. Throws StoreError where its feedback cannot be read. */
export function readCalibration(dataDir: string, modelVersion: string): FeedbackCalibration {
  if (!hasFeedback(dataDir)) return calibrationOf([], modelVersion);
  using queue = openFeedback({ dataDir, now: systemClock.now });
  return calibrationOf(queue.judged(), modelVersion);
}

/** A model that was taught brands is the same for this. */
function shippedPart(version: string): string {
  return version.split('+', 1)[0] ?? '';
}
