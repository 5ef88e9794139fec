/** How trees are boosted. */
export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly learningRate: number;
  /** The least sum of curvature in a leaf; with weights of mean 1 about a quarter of the rows in it. */
  readonly minChildWeight: number;
  /** The share of the rows that each tree sees. */
  readonly rowShare: number;
  /** The share of the columns that each tree may split on. */
  readonly columnShare: number;
  readonly lambda: number;
  readonly seed: number;
}

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
