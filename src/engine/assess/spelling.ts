import type { Target } from '#src/core/url/target.ts';
import { type Evidence, evidenceOn } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, type BrandSubject, brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { type UrlSubject, urlAnalyzer } from '#src/engine/analyzers/url.ts';

/** Analyzers of the spelling of a URL, which also apply to a URL inside another. */
const SPELLING_ANALYZERS = [urlAnalyzer, brandAnalyzer] as const;

/** Evidence of the spelling of a URL. */
export interface UrlSpelling {
  readonly brands: BrandReading;
  readonly spelling: readonly (readonly [Component, Evidence | null])[];
}

/** Analyzes the spelling of a URL inside the one of `subject`. */
export function spellingOf(wrapped: Target, subject: UrlSubject & BrandSubject): UrlSpelling {
  const brands = readBrands(wrapped, subject.knowledge);
  const inner = { ...subject, target: wrapped, brands };
  return {
    brands,
    spelling: SPELLING_ANALYZERS.map((analyzer) => [analyzer.component, analyzer.analyze(inner)] as const),
  };
}

/** Returns evidence as that of a URL inside the checked one. */
export function asWrapped(evidence: Evidence, { host }: Target): Evidence {
  return evidenceOn(evidence, { how: 'inside', host: host.text });
}
