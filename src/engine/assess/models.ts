import type { OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Thresholds } from '#src/engine/fusion/decide.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';

/** Everything that judges, loaded once and passed in. */
export interface Models {
  readonly knowledge: Knowledge;
  /** Brands that the operator configured. */
  readonly ownBrands: readonly OwnBrand[];
  readonly lexical: LexicalModel;
  readonly fusion: FusionModel;
  /** Names the whole set; equal versions and observations give equal answers. */
  readonly version: string;
}

/** What the operator decides about judging. */
export interface AssessSettings {
  /** Share of malicious URLs expected before any evidence, in (0, 1). */
  readonly baseRate: number;
  readonly thresholds: Thresholds;
}
