import type { LexicalModel } from '#src/lexical/model.ts';
import { scoreUrl } from '#src/lexical/score.ts';
import type { Target } from '#src/url/target.ts';
import type { Analyzer } from './analyzer.ts';

/** Judges the spelling of the URL by the trained lexical model. */
export const urlAnalyzer: Analyzer<'url', { target: Target; models: { lexical: LexicalModel } }, never> = {
  component: 'url',
  features: [],
  analyze: ({ target, models }) => ({ features: [], terms: scoreUrl(models.lexical, target) }),
};
