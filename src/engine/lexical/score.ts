import { writtenByService } from '#src/core/knowledge/hosts/forwarding/forwarders.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Target } from '#src/core/url/target.ts';
import type { ArgsOf, ReasonArgs, ReasonCode } from '#src/engine/reasons/reason.ts';
import { createEvaluation, evaluateParts, maximumTotal, totalOf } from './evaluate-url.ts';
import { calibratedLogOdds, type LexicalModel } from './model.ts';
import { COLUMN_GROUP, COLUMN_GROUPS, explainGroup } from './reason.ts';
import { partsOf, type UrlParts } from './url-parts.ts';

/** A summand of the model's output, in log-odds (nats) relative to the base rate. */
export interface LexicalTerm {
  /** Stable name in snake_case. */
  readonly code: ReasonCode;
  /** Arguments of the sentence in the catalogue. */
  readonly args: ReasonArgs;
  readonly logOdds: number;
}

/** Minimum contribution of a group with its own term, in log-odds. */
const MIN_TERM_LOG_ODDS = 0.1;

const evaluation = createEvaluation();
const groupSums = new Float64Array(COLUMN_GROUPS.length);
const OTHER = COLUMN_GROUPS.indexOf('other');
const SUFFIX = COLUMN_GROUPS.indexOf('suffix');

/**
 * Scores a URL by its spelling. Returns terms whose sum is the log-odds of phishing relative to the base rate b: ln(p /
 * (1 − p)) = ln(b / (1 − b)) + sum. At most 12 terms, equal for every spelling of a URL.
 *
 * What a service's program wrote never speaks against a URL: what remains then is the evidence of the host, or none.
 *
 * @param isImitation true if the URL imitates a brand, which no sentence may contradict
 */
export function scoreUrl(model: LexicalModel, target: Target, isImitation = false): LexicalTerm[] {
  const limit = maximumTotal(model, target, evaluation);
  const terms = termsOf(model, { parts: partsOf(target, model.knowledge), isImitation, limit });
  const written = sumOf(terms) <= 0 ? null : writtenByService(target);
  if (written === null) return terms;
  const { chosen } = written;
  const ofHost =
    chosen === null ? [] : termsOf(model, { parts: hostParts(target, chosen, model.knowledge), isImitation });
  if (sumOf(terms) <= sumOf(ofHost)) return terms;
  return sumOf(ofHost) > 0 ? ofHost : [];
}

function sumOf(terms: readonly LexicalTerm[]): number {
  return terms.reduce((sum, { logOdds }) => sum + logOdds, 0);
}

/** Returns the parts of a URL that somebody chose; a platform's popularity does not apply to those who use it. */
function hostParts(target: Target, chosen: Target, knowledge: Knowledge): UrlParts {
  return { ...partsOf(chosen, knowledge), popularity: knowledge.popularityOf(target) };
}

interface ScoredParts {
  readonly parts: UrlParts;
  readonly isImitation: boolean;
  /** Maximum score before calibration; none by default. */
  readonly limit?: number;
}

function termsOf(model: LexicalModel, { parts, isImitation, limit = Infinity }: ScoredParts): LexicalTerm[] {
  evaluateParts(model, parts, evaluation);
  const { contributions, row, roots, popular, bound } = evaluation;
  const total = totalOf(evaluation);
  // The calibration is bent; every contribution to one score is scaled alike, so that the terms add up.
  const slope = total === 0 ? model.slope : (calibratedLogOdds(model, total) - model.offset) / total;
  const excess = calibratedLogOdds(model, total) - calibratedLogOdds(model, Math.min(total, limit));
  groupSums.fill(0);
  for (let column = 0; column < contributions.length; column++) {
    const group = COLUMN_GROUP[column] ?? OTHER;
    groupSums[group] = (groupSums[group] ?? 0) + (contributions[column] ?? 0);
  }
  const terms: LexicalTerm[] = [];
  // The bound lowers the suffix's contribution, but not below 0.
  const bySuffix = groupSums[SUFFIX] ?? 0;
  const bounded = Math.max(bySuffix + bound, Math.min(bySuffix, 0));
  groupSums[SUFFIX] = bounded;
  let rest = model.offset - excess + slope * (roots + bound + bySuffix - bounded);
  for (const [index, group] of COLUMN_GROUPS.entries()) {
    const logOdds = slope * (groupSums[index] ?? 0);
    const reason =
      Math.abs(logOdds) < MIN_TERM_LOG_ODDS ? null : explainGroup(group, { parts, row, logOdds, isImitation });
    if (reason === null) rest += logOdds;
    else terms.push({ ...reason, logOdds });
  }
  if (popular !== 0) {
    terms.push({ code: 'url.popular_site', args: { kind: kindOfSite(parts) }, logOdds: slope * popular });
  }
  terms.push({ code: 'url.other_patterns', args: {}, logOdds: rest });
  return terms;
}

function kindOfSite({ isBrandOwn, popularity }: UrlParts): ArgsOf<'url.popular_site'>['kind'] {
  if (isBrandOwn) return 'own';
  return popularity === null ? 'tracker' : 'visited';
}
