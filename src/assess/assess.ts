import type { Evidence } from '#src/analyzers/analyzer.ts';
import { brandAnalyzer, readBrands } from '#src/analyzers/brand.ts';
import { ANALYZERS, type Component } from '#src/analyzers/index.ts';
import { listsAnalyzer } from '#src/analyzers/lists.ts';
import type { OwnBrand } from '#src/analyzers/page/own-brand.ts';
import { type JudgedPage, judgePage } from '#src/analyzers/page.ts';
import { urlAnalyzer } from '#src/analyzers/url.ts';
import type { Assessment } from '#src/fusion/assessment.ts';
import { counterfactual, decide, type Thresholds } from '#src/fusion/decide.ts';
import { fuse, type Verdict } from '#src/fusion/fuse.ts';
import type { FusionModel } from '#src/fusion/model.ts';
import { asSentence } from '#src/fusion/sentence.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import type { LexicalModel } from '#src/lexical/model.ts';
import type { Observations } from '#src/probes/observations.ts';
import { unwrap } from '#src/unwrap/unwrap.ts';
import type { Target } from '#src/url/target.ts';
import { brandIdentity } from './brand-identity.ts';
import { isDoubtful } from './doubt.ts';

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

/** What judges the spelling of a URL, and so also a URL inside another. */
const OF_SPELLING = [urlAnalyzer, brandAnalyzer] as const;

/**
 * The engine: pure, and the one path of the API, the command line, training and a later re-scoring of records.
 *
 * @param page the page as judged, for a caller that had another thread do that.
 */
export function assess(
  target: Target,
  observations: Observations,
  models: Models,
  settings: AssessSettings,
  page: JudgedPage | null = judgePage({ target, observations, knowledge: models.knowledge }, models.ownBrands),
): Assessment {
  const { knowledge } = models;
  const brands = readBrands(target, knowledge);
  const subject = { target, observations, models, knowledge, page, brands, isDoubted: false };
  const evidence = new Map<Component, Evidence | null>();
  for (const analyzer of ANALYZERS) evidence.set(analyzer.component, analyzer.analyze(subject));
  const inner = unwrap(target);
  const spellings = inner.map((wrapped) => {
    const wrappedSubject = { ...subject, target: wrapped, brands: readBrands(wrapped, knowledge) };
    return OF_SPELLING.map((analyzer): [Component, Evidence | null] => {
      const found = analyzer.analyze(wrappedSubject);
      return [analyzer.component, found && ofWrapped(found, wrapped)];
    });
  });
  // What the wrapper's host, page and so on showed holds for the inner URL as well; the most suspicious spelling counts.
  const weigh = (): Verdict => {
    let verdict = fuse(evidence, models.fusion, settings.baseRate);
    for (const spelling of spellings) {
      const one = fuse(new Map([...evidence, ...spelling]), models.fusion, settings.baseRate);
      if (one.logOdds > verdict.logOdds) verdict = one;
    }
    return verdict;
  };
  const withoutOthers = weigh();
  const isDoubted = isDoubtful(withoutOthers.probability, settings.thresholds);
  const hasOthers = isDoubted && observations.campaign?.state === 'observed';
  if (hasOthers) evidence.set('lists', listsAnalyzer.analyze({ ...subject, isDoubted }));
  const verdict = hasOthers ? weigh() : withoutOthers;
  return {
    verdict,
    decision: decide(verdict.probability, settings.thresholds),
    thresholds: settings.thresholds,
    counterfactual: counterfactual(verdict, settings.thresholds),
    brand: brandIdentity(brands, page),
    unwrappedUrls: inner.map(({ url }) => url),
    modelVersion: models.version,
    isDoubted,
  };
}

/** Evidence on a URL inside the checked one, saying so. */
function ofWrapped({ features, terms }: Evidence, { host }: Target): Evidence {
  const message = (text: string) => `The link leads on to ${host.text}. ${asSentence(text)}`;
  return {
    features: features.map((feature) => ({ ...feature, message: message(feature.message) })),
    terms: terms.map((term) => ({ ...term, message: message(term.message) })),
  };
}
