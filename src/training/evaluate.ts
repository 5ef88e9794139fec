import { join } from 'node:path';
import type { FusionModel } from '#src/engine/fusion/model.ts';
import type { LexicalModel } from '#src/engine/lexical/model.ts';
import { readAllRows } from './data/dataset.ts';
import { cachedFolds } from './data/fold-cache.ts';
import { readPopularity } from './data/popularity.ts';
import { seededOptions } from './fit/fit.ts';
import { describeBrandEvidence } from './measure/brand-evidence.ts';
import {
  BASE_RATE,
  calibrate,
  chooseThresholds,
  type PooledRows,
  poolRows,
  probabilitiesOf,
} from './measure/calibrate.ts';
import { calibrationMetrics } from './measure/calibration-metrics.ts';
import { describeCampaigns } from './measure/campaigns.ts';
import type { Evaluation } from './measure/evaluation.ts';
import type { MeasuredRows } from './measure/measure-folds.ts';
import { updateModelCard } from './measure/model-card.ts';
import { describeMeasurement } from './measure/report.ts';
import { formatMeasurements, meanMeasurement } from './measure/report-text.ts';
import { describeShippedChecks } from './measure/shipped-checks.ts';
import { describeShipped } from './measure/shipped-report.ts';
import { describeSynthetic } from './measure/synthetic-report.ts';

export interface EvaluateOptions {
  /** Folder with both splits. */
  readonly dataDir: string;
  /** Honest sites that the model was trained with. */
  readonly names: readonly string[];
  /** Model that the card describes. Measured are models fitted like it without the tested rows. */
  readonly model: LexicalModel;
  /** Weights of the other evidence. */
  readonly fusion: FusionModel;
  /** Cache of the folds' scores; without it each run measures again. */
  readonly cacheDir?: string;
  /** Folder of `MODEL_CARD.md`; without it the card is not written. */
  readonly outDir?: string;
  /** The seed that the model was trained with; 1 by default. */
  readonly seed?: number;
  readonly log: (line: string) => void;
}

/**
 * Measures the model on unseen sources: folds that exclude benign sources and a feed together, and the dev split, whose
 * benign sources are in the fit. Takes about ten minutes on two cores.
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { model, outDir, log } = options;
  const evaluation = await measure(options);
  if (outDir !== undefined) {
    const card = Bun.file(join(outDir, 'MODEL_CARD.md'));
    await Bun.write(card, updateModelCard((await card.exists()) ? await card.text() : null, model, evaluation));
    log('wrote MODEL_CARD.md');
  }
  return evaluation;
}

async function measure(options: EvaluateOptions): Promise<Evaluation> {
  const { dataDir, model, fusion, log } = options;
  const rows = await readAllRows(dataDir, 'train');
  const popularity = await readPopularity();
  log(`read ${rows.length} rows`);
  const { folds, dev, synthetic } = await cachedFolds({
    ...options,
    rows,
    dev: await readAllRows(dataDir, 'dev'),
    popularity,
    knowledge: model.knowledge,
    options: seededOptions(options.seed ?? 1),
  });
  const { knowledge } = model;
  const parts = { knowledge, fusion, calibration: calibrate(poolRows(folds)) };
  return format(describe(folds, dev), [
    describeCalibration(folds),
    describeShipped(folds, parts),
    describeSynthetic(synthetic, parts),
    describeShippedChecks({ lexical: model, fusion }),
    describeBrandEvidence(folds, knowledge, fusion),
    describeCampaigns(dev, parts),
  ]);
}

type Described = Pick<Evaluation, 'folds' | 'dev' | 'thresholds'>;

/** Calibrates each fold on the other folds, so that its calibration error is one on unseen sources. */
function describe(measured: readonly MeasuredRows[], later: MeasuredRows): Described {
  const pooled = poolRows(measured);
  const whole = calibrate(pooled);
  const thresholds = chooseThresholds(pooled, whole);
  const folds = measured.map((fold) => {
    const others = poolRows(measured.filter((other) => other !== fold));
    const calibration = calibrate(others);
    return describeMeasurement(fold, calibration, chooseThresholds(others, calibration));
  });
  return { folds, dev: [describeMeasurement(later, whole, thresholds)], thresholds };
}

/** Returns the error of the shipped calibration, on all folds together and on each of them. */
function describeCalibration(folds: readonly MeasuredRows[]): string {
  const pooled = poolRows(folds);
  const calibration = calibrate(pooled);
  const errorOf = ({ scores, labels, weights }: PooledRows) =>
    calibrationMetrics(probabilitiesOf(scores, calibration), labels, weights, BASE_RATE).ece.toFixed(4);
  return `ECE of the shipped calibration, which is fitted to all folds: ${errorOf(pooled)} on all of them, ${folds.map(errorOf).join(', ')} on each.`;
}

function format({ folds, dev, thresholds }: Described, more: readonly string[]): Evaluation {
  const mean = meanMeasurement('mean of folds', folds);
  const named = folds.map((fold) => ({ ...fold, name: `without ${fold.name}` }));
  const chosen = `Thresholds at a base rate of 5 %: warn ${thresholds.warn.toFixed(3)}, block ${thresholds.block.toFixed(3)}.`;
  const text = `${[formatMeasurements([mean, ...named, ...dev]), chosen, ...more].join('\n\n')}\n`;
  return { folds, dev, thresholds, text };
}
