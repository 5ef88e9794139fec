import type { FittedThresholds } from './calibrate.ts';
import type { Measurement } from './report.ts';

/** What was measured, and the same as text. */
export interface Evaluation {
  readonly folds: readonly Measurement[];
  /** The later split; benign sources have been seen. */
  readonly dev: readonly Measurement[];
  readonly thresholds: FittedThresholds;
  /** Markdown. */
  readonly text: string;
}
