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

/**
 * How much of the page stands behind a verdict.
 *
 * - `full`: the page of the landing site was fetched and parsed to its end, or the client supplied it
 * - `partial`: some of the document was parsed, not to its end
 * - `url_only`: nothing of a page was parsed, or what answered was not the page of the site
 */
export type Coverage = 'full' | 'partial' | 'url_only';

/** How a URL leads to another: by the server's answer or a refresh, or, never followed, by what stands in its page. */
export type HopKind = 'http' | 'refresh' | 'script' | 'frame' | 'link';

/** A step from one URL to the next, with the score of the URL that it leads to. */
export interface AssessedHop {
  readonly url: string;
  /** Null for a hop that was found in the page. */
  readonly status: number | null;
  /** Null if the hop names no usable URL. */
  readonly location: string | null;
  /** Address that answered for `url`; null for a hop that was found in the page. */
  readonly address: string | null;
  readonly how: HopKind;
  readonly followed: boolean;
  /** Of `location`, by its URL alone; null if there is none. */
  readonly probability: number | null;
  readonly decision: Decision | null;
}

/** What the engine says of one target, whole. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly decision: Decision;
  /** Host of the URL whose reading is the verdict: of the checked one, one wrapped inside it, or one that it leads to. */
  readonly decidingHost: string;
  readonly thresholds: Thresholds;
  /** One sentence on what would change the decision; null where no single reason would. */
  readonly counterfactual: string | null;
  /** Null where no brand is claimed. */
  readonly brand: BrandClaim | null;
  /** Canonical URLs found inside the URL; judged as well, and the most suspicious of all is the verdict. */
  readonly unwrappedUrls: readonly string[];
  /** Followed hops in order, then those that were found in the page. */
  readonly hops: readonly AssessedHop[];
  readonly coverage: Coverage;
  readonly modelVersion: string;
  /** Whether it is doubted by all that speaks for and against it, but for what it shares with other targets. */
  readonly isDoubted: boolean;
}
