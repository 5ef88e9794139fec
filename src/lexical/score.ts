import type { Target } from '#src/url/target.ts';
import type { LexicalTerm } from './lexical-term.ts';
import type { LexicalModel } from './model.ts';
import { scoreNgrams } from './ngram-model.ts';
import { NGRAM_FIELDS } from './ngrams.ts';
import { partsOf, type UrlParts } from './url-parts.ts';

const sums = new Float64Array(NGRAM_FIELDS.length);

/**
 * What the URL alone says, as terms whose sum is the log-odds of phishing relative to the base rate b:
 * ln(p / (1 − p)) = ln(b / (1 − b)) + sum. Every spelling of a URL gives the same terms.
 */
export function scoreUrl(model: LexicalModel, target: Target): LexicalTerm[] {
  const parts = partsOf(target);
  scoreNgrams(model.ngrams, parts, sums);
  const [label = 0, subdomain = 0, suffix = 0, shape = 0, path = 0, words = 0, pairs = 0, query = 0] = sums;
  const all = [
    term('url.name_pattern', `the name "${parts.label}" is put together like ${side(label + shape)}`, label + shape),
    term('url.subdomain_pattern', `the subdomain is put together like ${side(subdomain)}`, subdomain),
    term('url.suffix', suffixMessage(parts, suffix), suffix),
    term('url.path_pattern', `path and query are put together like ${side(path + query)}`, path + query),
    term('url.words', `the words of the address are ${side(words + pairs)}`, words + pairs),
    term('url.prior', 'what the model says of a URL before it has read it', model.bias),
  ];
  const scaled = all.map((one) => ({ ...one, logOdds: one.logOdds * model.slope }));
  scaled.push(term('url.calibration', 'shifts the score to what was measured', model.offset));
  return scaled.filter((one) => one.logOdds !== 0);
}

function term(code: string, message: string, logOdds: number): LexicalTerm {
  return { code, message, logOdds };
}

function side(logOdds: number): string {
  return logOdds > 0 ? 'those of phishing sites' : 'those of ordinary sites';
}

function suffixMessage(parts: UrlParts, logOdds: number): string {
  if (parts.suffix === '') return 'the host has no registered suffix';
  return `names of this kind under .${parts.suffix} are more often ${logOdds > 0 ? 'phishing' : 'ordinary'} sites`;
}
