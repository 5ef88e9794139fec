import type { Target } from '#src/core/url/target.ts';
import { COLUMN_GROUP, COLUMN_GROUPS } from './column-groups.ts';
import { createEvaluation, evaluateParts } from './evaluate-url.ts';
import type { LexicalModel } from './model.ts';
import { explainGroup } from './reason.ts';
import { partsOf, type UrlParts } from './url-parts.ts';

/** A summand of the model's answer, in log-odds (nats) relative to the base rate. */
export interface LexicalTerm {
  /** Stable name, snake_case. */
  readonly code: string;
  /** What was seen, as a sentence for a person. */
  readonly message: string;
  readonly logOdds: number;
}

/** A weaker group than this, in log-odds, is not worth a line of its own. */
const WORTH_A_LINE = 0.1;

const OTHER_PATTERNS = 'everything else that the model saw in the spelling';

const evaluation = createEvaluation();
const groupSums = new Float64Array(COLUMN_GROUPS.length);
const OTHER = COLUMN_GROUPS.indexOf('other');
const SUFFIX = COLUMN_GROUPS.indexOf('suffix');

/**
 * What the URL alone says, as terms whose sum is the log-odds of phishing relative to the base rate b:
 * ln(p / (1 − p)) = ln(b / (1 − b)) + sum. At most 12 terms, the same ones for every spelling of a URL.
 *
 * @param isImitation whether a brand was found to be imitated, which no sentence may contradict
 */
export function scoreUrl(model: LexicalModel, target: Target, isImitation = false): LexicalTerm[] {
  const parts = partsOf(target, model.knowledge);
  evaluateParts(model, parts, evaluation);
  const { contributions, row, roots, popular, bound } = evaluation;
  groupSums.fill(0);
  for (let column = 0; column < contributions.length; column++) {
    const group = COLUMN_GROUP[column] ?? OTHER;
    groupSums[group] = (groupSums[group] ?? 0) + (contributions[column] ?? 0);
  }
  const terms: LexicalTerm[] = [];
  // The bound lowers what the suffix says, but never makes it speak for a site.
  const bySuffix = groupSums[SUFFIX] ?? 0;
  const bounded = Math.max(bySuffix + bound, Math.min(bySuffix, 0));
  groupSums[SUFFIX] = bounded;
  let rest = model.offset + model.slope * (roots + bound + bySuffix - bounded);
  for (const [index, group] of COLUMN_GROUPS.entries()) {
    const logOdds = model.slope * (groupSums[index] ?? 0);
    const message = Math.abs(logOdds) < WORTH_A_LINE ? null : explainGroup(group, { parts, row, logOdds, isImitation });
    if (message === null) rest += logOdds;
    else terms.push({ code: `url.${group}`, message, logOdds });
  }
  if (popular !== 0) {
    terms.push({ code: 'url.popular_site', message: explainKnownSite(parts), logOdds: model.slope * popular });
  }
  terms.push({ code: 'url.other_patterns', message: OTHER_PATTERNS, logOdds: rest });
  return terms;
}

function explainKnownSite({ isBrandOwn, popularity }: UrlParts): string {
  if (isBrandOwn) return 'the site is a known brand’s own';
  return popularity === null
    ? 'the site is known to serve advertisements or statistics to other sites'
    : 'the site is among those that many people visit';
}
