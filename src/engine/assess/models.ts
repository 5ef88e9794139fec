import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';

/** Everything that classifies, loaded once. */
export interface Models {
  readonly knowledge: Knowledge;
  /** Brands that the operator configured. */
  readonly configuredBrands: readonly ConfiguredBrand[];
  readonly lexical: LexicalModel;
  readonly fusion: FusionModel;
  /** Version of the whole set; equal versions and observations give equal results. */
  readonly version: string;
}

/** Base rate and thresholds of a classification. */
export interface AssessSettings {
  /** Expected share of malicious URLs, in (0, 1). */
  readonly baseRate: number;
  readonly thresholds: Thresholds;
}
