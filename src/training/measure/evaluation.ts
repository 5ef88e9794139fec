import type { FittedThresholds } from './calibrate.ts';
import type { Measurement } from './report.ts';

/** Measurements, and the same as text. */
export interface Evaluation {
  readonly folds: readonly Measurement[];
  /** The later split; its benign sources are in the fit. */
  readonly dev: readonly Measurement[];
  readonly thresholds: FittedThresholds;
  /** Markdown. */
  readonly text: string;
}
