import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Feature } from '#src/engine/analyzers/analyzer.ts';
import { brandAnalyzer, readBrands } from '#src/engine/analyzers/brand.ts';
import { BRAND_FEATURES } from '#src/engine/analyzers/brand-findings.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import { calibratedLogOdds } from '#src/engine/lexical/model.ts';
import type { Row } from '../data/dataset.ts';
import { type EvidenceRow, fitAdditiveWeights } from '../fit/additive-weights.ts';
import { calibrate, poolRows } from './calibrate.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { rankMetrics } from './metrics.ts';
import { decideRows, type VerdictParts } from './verdicts.ts';

/** Fitted features; for the others there is no data, or they do not speak for phishing. */
const FITTED = BRAND_FEATURES.filter((name) => name !== 'brand.own_domain' && name !== 'brand.name_before_at');

/** Chosen on the folds: three times as strong, 0.3 points less are caught at 1 %. */
const PULL = 0.0003;

const NOTHING = FITTED.map(() => 0);

const FALSE_ALARM_RATES = [0.01, 0.001] as const;

/** Returns the active and the fitted weights with what each catches, as Markdown. */
export function describeBrandEvidence(
  folds: readonly MeasuredRows[],
  knowledge: Knowledge,
  fusion: FusionModel,
): string {
  const active = FITTED.map((name) => fusion.weights[name]?.weight ?? 0);
  const own = fusion.weights['brand.own_domain']?.weight ?? 0;
  const calibration = calibrate(poolRows(folds));
  const seen = folds.map((fold) =>
    fold.rows.map((row, index): NamedRow => {
      const { places, isOwn, half } = brandsIn(row, knowledge);
      const logOdds = calibratedLogOdds(calibration, fold.scores[index] ?? 0) + (isOwn ? own : 0);
      return { logOdds, label: fold.labels[index] ?? 0, weight: fold.weights[index] ?? 0, seen: places, half };
    }),
  );
  const fit = (rows: readonly (readonly EvidenceRow[])[]) =>
    fitAdditiveWeights(
      rows.flat().filter((row) => row.seen.length > 0),
      NOTHING,
      PULL,
    );
  const leftOut = seen.map((rows) => fit(seen.filter((other) => other !== rows)));
  const fitted = fit(seen);
  const halves = ([0, 1] as const).map((half) => fit(seen.map((rows) => rows.filter((row) => row.half === half))));
  const unseen = ({ half }: NamedRow) => (half === null ? active : (halves[1 - half] ?? active));
  const figures = (weightsOf: (fold: number, row: NamedRow) => readonly number[]) => {
    const of = folds.map((fold, index) => measure(fold, seen[index] ?? [], (row) => weightsOf(index, row)));
    return meanOf(of).map((value) => `${(100 * value).toFixed(1)} %`);
  };
  return [
    'Spelling and brand evidence together, as in a check without network, mean of folds, caught at 1 % and 0.1 %:',
    [
      ['', 'at 1 %', 'at 0.1 %'],
      ['---', '---', '---'],
      ['no weight for brands', ...figures(() => active.map(() => 0))],
      ['active weights', ...figures(() => active)],
      ['weights fitted without the fold', ...figures((fold) => leftOut[fold] ?? [])],
      ['weights fitted to the other half of the brands', ...figures((_, row) => unseen(row))],
    ]
      .map(line)
      .join('\n'),
    [
      ['', 'active', 'fitted', 'to one half of the brands', 'to the other'],
      ['---', '---', '---', '---', '---'],
      ...FITTED.map((name, place) => [
        name,
        figure(active[place]),
        ...[fitted, ...halves].map((weights) => figure(weights[place])),
      ]),
    ]
      .map(line)
      .join('\n'),
    describeAlarms(folds, { knowledge, fusion, calibration }),
  ].join('\n\n');
}

/** Features of names that resemble a brand's, or are a brand's under another suffix. */
const LIKENESSES = ['brand.look_alike', 'brand.misspelling', 'brand.other_suffix'] as const;

/** Returns the number of benign rows with additional alarms by likenesses, of all rows regardless of source. */
function describeAlarms(folds: readonly MeasuredRows[], parts: VerdictParts): string {
  const { fusion } = parts;
  const nothing = LIKENESSES.map((name) => [name, { weight: 0, source: 'left out' }] as const);
  const without = { ...fusion, weights: { ...fusion.weights, ...Object.fromEntries(nothing) } };
  const count = (model: FusionModel) => {
    const decisions = folds.flatMap((fold) =>
      decideRows(fold, { ...parts, fusion: model }).filter((_, row) => isCollected(fold, row)),
    );
    const of = (isMeant: (decision: Decision) => boolean) =>
      decisions.filter((decision) => decision !== null && isMeant(decision)).length;
    return { all: decisions.length, warned: of((made) => made !== 'allow'), blocked: of((made) => made === 'block') };
  };
  const [now, before] = [count(fusion), count(without)];
  const more = (key: 'warned' | 'blocked') => ((1e4 * (now[key] - before[key])) / now.all).toFixed(2);
  return `Of 10,000 benign rows, ${LIKENESSES.join(', ')} add ${more('warned')} warnings and ${more('blocked')} blocks (${now.all} rows).`;
}

/** Returns true if a benign row counts in figures; synthetic rows and machine endpoints do not. */
function isCollected({ labels, weights }: MeasuredRows, row: number): boolean {
  return labels[row] === 0 && (weights[row] ?? 0) > 0;
}

/** A row with the half of the brands to which its brand belongs; null if it names none. */
interface NamedRow extends EvidenceRow {
  readonly half: 0 | 1 | null;
}

function brandsIn(
  { canon }: Row,
  knowledge: Knowledge,
): Pick<NamedRow, 'half'> & { readonly places: EvidenceRow['seen']; readonly isOwn: boolean } {
  const target = parseTarget(`http://${canon}`);
  if (isTargetProblem(target)) return { places: [], isOwn: false, half: null };
  const { features, isOwn, named } = brandsOf(target, knowledge);
  const half = named === null ? null : ((mixHash(fnvHash(named)) % 2) as 0 | 1);
  const places = features.map(({ name, value }) => [FITTED.indexOf(name as (typeof FITTED)[number]), value] as const);
  return { places: places.filter(([place]) => place >= 0), isOwn, half };
}

/**
 * Returns the evidence on the brands in a URL as in a check without a page, whether it is a brand's own, and the brand
 * that it imitates.
 */
export function brandsOf(
  target: Target,
  knowledge: Knowledge,
): { readonly features: readonly Feature[]; readonly isOwn: boolean; readonly named: string | null } {
  const page = { state: 'skipped', reason: 'disabled' } as const;
  const brands = readBrands(target, knowledge);
  const evidence = brandAnalyzer.analyze({ target, brands, knowledge, observations: { page }, page: null });
  return {
    features: evidence?.features ?? [],
    isOwn: brands.owner !== null,
    named: brands.findings[0]?.brand.name ?? null,
  };
}

function measure(
  fold: MeasuredRows,
  rows: readonly NamedRow[],
  weightsOf: (row: NamedRow) => readonly number[],
): number[] {
  const scores = Float64Array.from(rows, (row) => {
    const weights = weightsOf(row);
    return row.seen.reduce((sum, [place, value]) => sum + value * (weights[place] ?? 0), row.logOdds);
  });
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
