import { brandOf } from '#src/analyzers/brand.ts';
import { ANALYZERS, COMPONENTS } from '#src/analyzers/index.ts';
import type { OwnBrand } from '#src/analyzers/page/own-brand.ts';
import type { Assessment } from '#src/fusion/assessment.ts';
import { decide, type Thresholds } from '#src/fusion/decide.ts';
import { counterfactual } from '#src/fusion/explain.ts';
import { fuse } from '#src/fusion/fuse.ts';
import type { FusionModel } from '#src/fusion/model.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { LexicalModel } from '#src/lexical/model.ts';
import type { Observations } from '#src/probes/observations.ts';
import type { Target } from '#src/url/target.ts';

/** Everything that judges, loaded once and passed in. */
export interface Models {
  readonly knowledge: Knowledge;
  /** Brands that the operator taught this box. */
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

/** The engine: pure, and the one path of the API, the command line, training and a later re-scoring of records. */
export function assess(
  target: Target,
  observations: Observations,
  models: Models,
  settings: AssessSettings,
): Assessment {
  const subject = { target, observations, models, knowledge: models.knowledge, ownBrands: models.ownBrands };
  const evidence = new Map(COMPONENTS.map((component) => [component, ANALYZERS[component].analyze(subject)]));
  const verdict = fuse(evidence, models.fusion, settings.baseRate);
  return {
    verdict,
    decision: decide(verdict.probability, settings.thresholds),
    thresholds: settings.thresholds,
    counterfactual: counterfactual(verdict, settings.thresholds),
    brand: brandOf(subject),
    unwrappedUrls: [],
    modelVersion: models.version,
  };
}
