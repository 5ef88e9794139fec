import type { Thresholds } from './calibrate.ts';
import type { Measurement } from './report.ts';

/** What was measured, and the same as text. */
export interface Evaluation {
  readonly folds: readonly Measurement[];
  readonly dev: Measurement;
  readonly thresholds: Thresholds;
  /** Markdown. */
  readonly text: string;
}
