import type { Decision, Decisive, Thresholds, Verdict } from './fuse.ts';

/** Brand that a URL or its page claims to belong to. */
export interface BrandClaim {
  readonly name: string;
  /** In [0, 1]. */
  readonly confidence: number;
  /** The brand's own domains. */
  readonly domains: readonly string[];
}

/**
 * How much of the page a verdict is based on.
 *
 * - `full`: the page of the landing site was fetched and parsed completely, or the client supplied it, and shows its content
 *   itself
 * - `partial`: part of the document was parsed, or a part of what it shows is drawn by scripts or in frames that were not
 *   read
 * - `url_only`: no page was parsed, or the one that answered was not the page of the site
 */
export type Coverage = 'full' | 'partial' | 'url_only';

/**
 * How a URL leads to another: `http` and `refresh` are followed, `frame` and, within a site, `script` and `form` if nothing
 * else leads on; `link` is only found in the page.
 */
export type HopKind = 'http' | 'refresh' | 'script' | 'form' | 'frame' | 'link';

/** A step from one URL to the next, with the score of the URL to which it leads. */
export interface AssessedHop {
  readonly url: string;
  /** Null for a hop that was not followed. */
  readonly status: number | null;
  /** Null if the hop names no usable URL. */
  readonly location: string | null;
  /** Address that answered for `url`; null for a hop that was not followed. */
  readonly address: string | null;
  readonly how: HopKind;
  readonly followed: boolean;
  /** Probability of `location` by its URL alone; null if there is none. */
  readonly probability: number | null;
  readonly decision: Decision | null;
}

/** Complete result of the engine for one target. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly decision: Decision;
  /** Host of the URL whose reading is the verdict: the checked one, one wrapped inside it, or one to which it leads. */
  readonly decidingHost: string;
  readonly thresholds: Thresholds;
  /** Reason without which the decision would differ; null if there is no single one. */
  readonly counterfactual: Decisive | null;
  /** Null if no brand is claimed. */
  readonly brand: BrandClaim | null;
  /** Canonical URLs found inside the URL; each is scored, and the most suspicious one decides. */
  readonly unwrappedUrls: readonly string[];
  /** Followed hops in order, then those found in a page. */
  readonly hops: readonly AssessedHop[];
  readonly coverage: Coverage;
  readonly modelVersion: string;
  /** True if the target is suspicious by all evidence but that of campaigns. */
  readonly isSuspicious: boolean;
}
