import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import type { Analyzer } from './analyzer.ts';
import { PLAIN_SIGNS, type PlainSign, type PlainSubject, plainSigns } from './obvious-signals.ts';

/** What the URL analyzer looks at. */
export interface UrlSubject extends PlainSubject {
  readonly models: { readonly lexical: LexicalModel };
}

/** Judges the spelling of the URL by the trained lexical model, and by what a person sees in it at once. */
export const urlAnalyzer: Analyzer<'url', UrlSubject, PlainSign> = {
  component: 'url',
  features: PLAIN_SIGNS,
  analyze(subject) {
    const terms = scoreUrl(subject.models.lexical, subject.target, subject.brands.findings.length > 0);
    return { features: plainSigns(subject, terms), terms };
  },
};
