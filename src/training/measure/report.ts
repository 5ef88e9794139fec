import type { Calibration } from '#src/engine/lexical/model.ts';
import { kindOf, SYNTHETIC } from '../data/kinds.ts';
import { isSignInPath } from '../data/sign-in-paths.ts';
import { bootstrapRanks, type Interval } from './bootstrap.ts';
import { BASE_RATE, type FittedThresholds, probabilitiesOf } from './calibrate.ts';
import { averagePrecision, calibrationMetrics } from './calibration-metrics.ts';
import type { MeasuredRows } from './measure-folds.ts';
import { rankMetrics } from './metrics.ts';

/** False-alarm rates of the stated shares of caught phishing. */
const FALSE_ALARM_RATES = [0.01, 0.001] as const;

/** A share with the middle 95 % of its bootstrap. */
export interface MeasuredShare extends Interval {
  readonly value: number;
}

/** Figures of one measurement. */
export interface Measurement {
  readonly name: string;
  readonly rows: { readonly phishing: number; readonly benign: number };
  readonly auc: MeasuredShare;
  /** At each of {@link FALSE_ALARM_RATES}. */
  readonly caught: readonly MeasuredShare[];
  /** Average precision if one URL in a hundred is phishing. */
  readonly precisionAtOnePercent: number;
  readonly ece: number;
  readonly brier: number;
  /** Caught shares by feed and by form at the same thresholds, in the order of {@link FALSE_ALARM_RATES}. */
  readonly caughtBy: Readonly<Record<string, readonly number[]>>;
  /** False alarms by kind of benign page at the thresholds of warning and block. */
  readonly alarmsBy: Readonly<Record<string, readonly [warn: number, block: number]>>;
}

/** Computes the figures of one measurement, whose scores are mapped by `calibration`. */
export function describeMeasurement(
  measured: MeasuredRows,
  calibration: Calibration,
  thresholds: FittedThresholds,
): Measurement {
  const { name, rows, labels, scores, sources, weights } = measured;
  const { auc, points } = rankMetrics(measured, weights, FALSE_ALARM_RATES);
  const intervals = bootstrapRanks(measured, weights, FALSE_ALARM_RATES);
  const probabilities = probabilitiesOf(scores, calibration);
  const shareOf = (isChosen: (row: number) => boolean, isHit: (row: number) => boolean) => {
    let all = 0;
    let hit = 0;
    for (const row of labels.keys()) {
      if (!isChosen(row)) continue;
      const weight = weights[row] || Number.EPSILON;
      all += weight;
      if (isHit(row)) hit += weight;
    }
    return all === 0 ? Number.NaN : hit / all;
  };
  const caught = (isChosen: (row: number) => boolean) =>
    points.map(({ threshold }) =>
      shareOf(
        (row) => labels[row] === 1 && isChosen(row),
        (row) => (scores[row] ?? 0) >= threshold,
      ),
    );
  const alarms = (isChosen: (row: number) => boolean): readonly [number, number] => {
    const above = (threshold: number) =>
      shareOf(
        (row) => labels[row] === 0 && isChosen(row),
        (row) => (probabilities[row] ?? 0) >= threshold,
      );
    return [above(thresholds.warn), above(thresholds.block)];
  };
  const feeds = new Set(sources.filter((_, row) => labels[row] === 1));
  const kinds = new Set(sources.filter((_, row) => labels[row] === 0).map(kindOf));
  const phishing = labels.reduce((sum, label) => sum + label, 0);
  const synthetic = sources.filter((source) => SYNTHETIC.has(kindOf(source))).length;
  return {
    name,
    rows: { phishing, benign: labels.length - phishing - synthetic },
    auc: { value: auc, ...intervals.auc },
    caught: points.map(({ tpr }, index) => ({
      value: tpr,
      low: intervals.tpr[index]?.low ?? 0,
      high: intervals.tpr[index]?.high ?? 0,
    })),
    precisionAtOnePercent: averagePrecision(scores, labels, weights, 0.01),
    ...calibrationMetrics(probabilities, labels, weights, BASE_RATE),
    caughtBy: {
      ...Object.fromEntries([...feeds].sort().map((feed) => [feed, caught((row) => sources[row] === feed)])),
      'bare hosts': caught((row) => rows[row]?.bare === true),
      'with a path': caught((row) => rows[row]?.bare === false),
      'on platforms': caught((row) => rows[row]?.hosted === true),
      'on own domains': caught((row) => rows[row]?.hosted === false),
      'at sign-in paths': caught((row) => isSignInPath(rows[row]?.canon ?? '')),
    },
    alarmsBy: {
      all: alarms(() => true),
      ...Object.fromEntries(
        [...kinds].sort().map((kind) => [kind, alarms((row) => kindOf(sources[row] ?? '') === kind)]),
      ),
      'bare hosts': alarms((row) => rows[row]?.bare === true),
      'with a path': alarms((row) => rows[row]?.bare === false),
      'on platforms': alarms((row) => rows[row]?.hosted === true),
    },
  };
}
