import { forwarderOf } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import type { Analyzer } from './analyzer.ts';
import { OBVIOUS_SIGNALS, type ObviousSignal, type ObviousSubject, obviousSignals } from './obvious-signals.ts';

/** Input of the URL analyzer. */
export interface UrlSubject extends ObviousSubject {
  readonly models: { readonly lexical: LexicalModel };
}

/**
 * Classifies the spelling of the URL by the trained lexical model and by {@link obviousSignals}; that of a service which
 * forwards by the second alone.
 */
export const urlAnalyzer: Analyzer<'url', UrlSubject, ObviousSignal> = {
  component: 'url',
  features: OBVIOUS_SIGNALS,
  analyze(subject) {
    const { models, target, brands } = subject;
    // What a service that forwards writes into its links is no evidence: their target is.
    const isForwarder = forwarderOf(target.host.text, target.path) !== null;
    const terms = isForwarder ? [] : scoreUrl(models.lexical, target, brands.findings.length > 0);
    return { features: obviousSignals(subject, terms), terms };
  },
};
