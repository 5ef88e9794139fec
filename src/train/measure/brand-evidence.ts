import type { Feature } from '#src/analyzers/analyzer.ts';
import { brandAnalyzer, readBrands } from '#src/analyzers/brand.ts';
import { BRAND_FEATURES } from '#src/analyzers/brand-judge.ts';
import type { FusionModel } from '#src/fusion/model.ts';
import type { Knowledge } from '#src/knowledge/index.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import type { Row } from '../data/dataset.ts';
import { type EvidentRow, fitAdditiveWeights } from '../fit/additive-weights.ts';
import { calibrate, poolRows } from './calibrate.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { rankMetrics } from './metrics.ts';

/** What is fitted: the others the data lack, or are no sign of phishing. */
const FITTED = BRAND_FEATURES.filter((name) => name !== 'brand.own_domain' && name !== 'brand.name_before_at');

/** Chosen on the folds: three times as strong, 0.3 points less are caught at 1 %. */
const PULL = 0.0003;

const NOTHING = FITTED.map(() => 0);

const FALSE_ALARM_RATES = [0.01, 0.001] as const;

/** The weights in force and those that the folds ask for, with what each catches; as Markdown. */
export function describeBrandEvidence(
  folds: readonly MeasuredRows[],
  knowledge: Knowledge,
  fusion: FusionModel,
): string {
  const inForce = FITTED.map((name) => fusion.weights[name]?.weight ?? 0);
  const own = fusion.weights['brand.own_domain']?.weight ?? 0;
  const calibration = calibrate(poolRows(folds));
  const seen = folds.map((fold) =>
    fold.rows.map((row, index): EvidentRow => {
      const { places, isOwn } = brandsIn(row, knowledge);
      const logOdds = calibration.slope * (fold.scores[index] ?? 0) + calibration.offset + (isOwn ? own : 0);
      return { logOdds, label: fold.labels[index] ?? 0, weight: fold.weights[index] ?? 0, seen: places };
    }),
  );
  const fit = (rows: readonly (readonly EvidentRow[])[]) =>
    fitAdditiveWeights(
      rows.flat().filter((row) => row.seen.length > 0),
      NOTHING,
      PULL,
    );
  const leftOut = seen.map((rows) => fit(seen.filter((other) => other !== rows)));
  const fitted = fit(seen);
  const figures = (weightsOf: (fold: number) => readonly number[]) => {
    const of = folds.map((fold, index) => measure(fold, seen[index] ?? [], weightsOf(index)));
    return meanOf(of).map((value) => `${(100 * value).toFixed(1)} %`);
  };
  return [
    'The spelling and the brands in it together, as a check without network answers, mean of folds, caught at 1 % and 0.1 %:',
    [
      ['', 'at 1 %', 'at 0.1 %'],
      ['---', '---', '---'],
      ['no weight for brands', ...figures(() => inForce.map(() => 0))],
      ['the weights in force', ...figures(() => inForce)],
      ['weights fitted without the fold', ...figures((fold) => leftOut[fold] ?? [])],
    ]
      .map(line)
      .join('\n'),
    [
      ['', 'in force', 'fitted'],
      ['---', '---', '---'],
      ...FITTED.map((name, place) => [name, figure(inForce[place]), figure(fitted[place])]),
    ]
      .map(line)
      .join('\n'),
  ].join('\n\n');
}

function brandsIn(
  { canon }: Row,
  knowledge: Knowledge,
): { readonly places: EvidentRow['seen']; readonly isOwn: boolean } {
  const target = parseTarget(`http://${canon}`);
  if (isTargetProblem(target)) return { places: [], isOwn: false };
  const { features, isOwn } = brandsOf(target, knowledge);
  const places = features.map(({ name, value }) => [FITTED.indexOf(name as (typeof FITTED)[number]), value] as const);
  return { places: places.filter(([place]) => place >= 0), isOwn };
}

/** What the brands in a URL say, as in a check that sees no page, and whether it is a brand's own. */
export function brandsOf(
  target: Target,
  knowledge: Knowledge,
): { readonly features: readonly Feature[]; readonly isOwn: boolean } {
  const page = { state: 'skipped', reason: 'disabled' } as const;
  const brands = readBrands(target, knowledge);
  const evidence = brandAnalyzer.analyze({ target, brands, knowledge, observations: { page }, page: null });
  return { features: evidence?.features ?? [], isOwn: brands.owner !== null };
}

function measure(fold: MeasuredRows, rows: readonly EvidentRow[], weights: readonly number[]): number[] {
  const scores = Float64Array.from(rows, ({ logOdds, seen }) =>
    seen.reduce((sum, [place, value]) => sum + value * (weights[place] ?? 0), logOdds),
  );
  return rankMetrics({ ...fold, scores }, fold.weights, FALSE_ALARM_RATES).points.map(({ tpr }) => tpr);
}

function meanOf(figures: readonly (readonly number[])[]): number[] {
  return FALSE_ALARM_RATES.map((_, at) => figures.reduce((sum, of) => sum + (of[at] ?? 0), 0) / figures.length);
}

function figure(value: number | undefined): string {
  return (value ?? 0).toFixed(2);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
