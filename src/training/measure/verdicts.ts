import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { Evidence } from '#src/engine/analyzers/analyzer.ts';
import { brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import type { Component } from '#src/engine/analyzers/index.ts';
import { obviousSignals } from '#src/engine/analyzers/url.ts';
import { type Decision, decide, fuse } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { type Calibration, calibratedLogOdds } from '#src/engine/lexical/model.ts';
import { BASE_RATE } from './calibrate.ts';
import type { MeasuredRows } from './measure-folds.ts';

/** Models of the decisions, besides the score of the spelling. */
export interface VerdictParts {
  readonly knowledge: Knowledge;
  readonly fusion: FusionModel;
  readonly calibration: Calibration;
}

/**
 * Returns the decision on each row as in a check without network: spelling and brands. Null for rows that are not URLs.
 */
export function decideRows(
  { rows, scores }: Pick<MeasuredRows, 'rows' | 'scores'>,
  { knowledge, fusion, calibration }: VerdictParts,
): (Decision | null)[] {
  const page = { state: 'skipped', reason: 'disabled' } as const;
  return rows.map(({ canon }, index) => {
    const target = parseTarget(`http://${canon}`);
    if (isTargetProblem(target)) return null;
    const brands = readBrands(target, knowledge);
    const logOdds = calibratedLogOdds(calibration, scores[index] ?? 0);
    const terms = [{ code: 'url.other_patterns', args: {}, logOdds }];
    const evidence = new Map<Component, Evidence | null>([
      ['url', { terms, features: obviousSignals({ target, knowledge, brands }, terms) }],
      ['brand', brandAnalyzer.analyze({ target, brands, knowledge, observations: { page }, page: null })],
    ]);
    return decide(fuse(evidence, fusion, BASE_RATE).probability, fusion.thresholds);
  });
}

/** Returns the share of decisions that warn or block, and of those that block, in percent: `12.3 / 4.5`. */
export function sharesOf(decisions: readonly (Decision | null)[]): string {
  const made = decisions.filter((decision) => decision !== null);
  if (made.length === 0) return '–';
  const percent = (count: number) => ((100 * count) / made.length).toFixed(1);
  const warned = made.filter((decision) => decision !== 'allow').length;
  return `${percent(warned)} / ${percent(made.filter((decision) => decision === 'block').length)}`;
}
