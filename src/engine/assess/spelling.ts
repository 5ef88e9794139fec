import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { type BrandReading, type BrandSubject, brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { type UrlSubject, urlAnalyzer } from '#src/engine/analyzers/url.ts';
import { asSentence } from '#src/engine/reasons/sentence.ts';
import type { Target } from '#src/core/url/target.ts';

/** What judges the spelling of a URL, and so also a URL inside another. */
const OF_SPELLING = [urlAnalyzer, brandAnalyzer] as const;

/** What the spelling of a URL says by itself. */
export interface UrlSpelling {
  readonly brands: BrandReading;
  readonly spelling: readonly (readonly [Component, Evidence | null])[];
}

/** Reads the spelling of a URL inside the one of `subject`. */
export function spellingOf(wrapped: Target, subject: UrlSubject & BrandSubject): UrlSpelling {
  const brands = readBrands(wrapped, subject.knowledge);
  const inner = { ...subject, target: wrapped, brands };
  return { brands, spelling: OF_SPELLING.map((analyzer) => [analyzer.component, analyzer.analyze(inner)] as const) };
}

/** Evidence on a URL inside the checked one, saying so. */
export function ofWrapped({ features, terms }: Evidence, { host }: Target): Evidence {
  const message = (text: string) => `The link leads on to ${host.text}. ${asSentence(text)}`;
  return {
    features: features.map((feature) => ({ ...feature, message: message(feature.message) })),
    terms: terms.map((term) => ({ ...term, message: message(term.message) })),
  };
}
