/** Options of the boosting. */
export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly learningRate: number;
  /** Minimum sum of curvature in a leaf; with weights of mean 1 about a quarter of its rows. */
  readonly minChildWeight: number;
  /** Share of the rows per tree. */
  readonly rowShare: number;
  /** Share of the columns per tree. */
  readonly columnShare: number;
  /** Added to the curvature of every node, which shrinks the values of small ones. */
  readonly lambda: number;
  readonly seed: number;
}

/**
 * Chosen on the folds: 150 trees of depth 6 over 0.8 of the rows and 0.6 of the columns catch 3 points less at 0.1 %, and
 * 400 slower trees catch no more.
 */
export const BOOSTING_DEFAULTS: BoostingOptions = {
  trees: 250,
  depth: 4,
  learningRate: 0.12,
  minChildWeight: 30,
  rowShare: 0.5,
  columnShare: 0.3,
  lambda: 3,
  seed: 1,
};
