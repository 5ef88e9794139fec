import { join } from 'node:path';
import { hasFeedback } from '#src/checks/store/feedback/feedback-file.ts';
import { type AcceptedFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { FEEDBACK_VERDICTS } from '#src/checks/store/feedback/feedback-schema.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { isText, listWith, objectWith } from '#src/core/base/guard.ts';
import { logOddsOf, sigmoid } from '#src/core/base/log-odds.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** Calibration of a model's probabilities by accepted feedback. */
export interface FeedbackCalibration {
  /** Checks that accepted feedback calls malicious and benign. */
  readonly malicious: number;
  readonly benign: number;
  /** Shift of all log-odds (nats); null if there is too little feedback. */
  readonly shift: number | null;
}

/** Minimum number of reports. Chosen, not measured: fewer say more about who reports than about the model. */
export const ENOUGH_FEEDBACK = 30;

/** Largest shift. Chosen, not measured: people report mistakes only, so feedback is biased. */
const MAX_SHIFT = 0.5;

/** Precision of the prior around zero: a normal distribution with a deviation of half a nat. */
const PRIOR_PRECISION = 4;

const STEPS = 50;

/**
 * Returns the shift of all log-odds that fits feedback best, with a prior: logistic regression of an intercept by Newton's
 * method. Only checks by the active model count, with any configured brands.
 */
export function calibrationOf(accepted: readonly AcceptedFeedback[], modelVersion: string): FeedbackCalibration {
  const own = accepted.filter((one) => shippedPart(one.modelVersion) === shippedPart(modelVersion));
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

/**
 * Same for a data directory, including the copy of feedback accepted on other nodes. Throws StoreError or OperationError
 * if it cannot be read.
 */
export function readCalibration(dataDir: string, modelVersion: string): FeedbackCalibration {
  const copied = readAcceptedCopy(dataDir);
  if (!hasFeedback(dataDir)) return calibrationOf(copied, modelVersion);
  using queue = openFeedback({ dataDir, now: systemClock.now });
  return calibrationOf([...copied, ...queue.accepted()], modelVersion);
}

const COPY = 'accepted-feedback.json';

const isAccepted = listWith(
  objectWith<AcceptedFeedback>({
    verdict: (value): value is AcceptedFeedback['verdict'] => FEEDBACK_VERDICTS.some((verdict) => verdict === value),
    probability: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
    modelVersion: isText,
  }),
);

/** Replaces the copy of all nodes' accepted feedback, which calibrates a node while their database is unreachable. */
export function writeAcceptedCopy(dataDir: string, accepted: readonly AcceptedFeedback[]): void {
  const text = JSON.stringify(accepted);
  const path = join(dataDir, COPY);
  if (readIfExists(path, COPY) !== text) replaceLocked(path, COPY, () => text);
}

/** A copy that is missing or damaged is written again within a minute. */
function readAcceptedCopy(dataDir: string): readonly AcceptedFeedback[] {
  const text = readIfExists(join(dataDir, COPY), COPY);
  const accepted = text === null ? [] : parseJson(text);
  return isAccepted(accepted) ? accepted : [];
}

/** The version of a model without the part that configured brands add to it. */
function shippedPart(version: string): string {
  return version.split('+', 1)[0] ?? '';
}
