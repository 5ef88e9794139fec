import type { Decision, Thresholds } from './decide.ts';
import type { Verdict } from './fuse.ts';

/** The brand that a URL or its page claims to be of. */
export interface BrandClaim {
  readonly name: string;
  /** In [0, 1]. */
  readonly confidence: number;
  /** The brand's own domains. */
  readonly domains: readonly string[];
}

/** What the engine says of one target, whole. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly decision: Decision;
  readonly thresholds: Thresholds;
  /** One sentence on what would change the decision; null where no single reason would. */
  readonly counterfactual: string | null;
  /** Null where no brand is claimed. */
  readonly brand: BrandClaim | null;
  /** Canonical URLs found inside the URL; judged as well, and the most suspicious of all is the verdict. */
  readonly unwrappedUrls: readonly string[];
  readonly modelVersion: string;
  /** Whether it is doubted by all that speaks for and against it, but for what it shares with other targets. */
  readonly isDoubted: boolean;
}
