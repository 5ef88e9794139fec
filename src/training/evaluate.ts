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
import { describeMadeUp } from './measure/synthetic-report.ts';
import type { MeasuredRows } from './measure/measure-folds.ts';
import { updateModelCard } from './measure/model-card.ts';
import { describeMeasurement } from './measure/report.ts';
import { formatMeasurements, meanMeasurement } from './measure/report-text.ts';
import { describeShipped } from './measure/shipped-report.ts';

export interface EvaluateOptions {
  /** The folder that holds both splits. */
  readonly dataDir: string;
  /** Honest sites, by name, as the model was trained with. */
  readonly names: readonly string[];
  /** The model that the card describes. What is measured are models fitted like it without the rows tested on. */
  readonly model: LexicalModel;
  /** The weights of what is seen beside its score. */
  readonly fusion: FusionModel;
  /** Where the folds' scores are kept by what they depend on; without it each run measures anew. */
  readonly cacheDir?: string;
  /** Where `MODEL_CARD.md` is written; without it nothing is. */
  readonly outDir?: string;
  /** The seed that the model was trained with; 1 by default. */
  readonly seed?: number;
  readonly log: (line: string) => void;
}

/**
 * Measures how good the model is on sources that it has not seen: folds that leave out benign sources and a feed
 * together, and the dev split, whose benign sources it has seen. Takes about ten minutes on two cores.
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
  const { folds, dev, madeUp } = await cachedFolds({
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
    describeMadeUp(madeUp, parts),
    describeBrandEvidence(folds, knowledge, fusion),
    describeCampaigns(dev, parts),
  ]);
}

type Described = Pick<Evaluation, 'folds' | 'dev' | 'thresholds'>;

/** Each fold is calibrated on the other folds, so that its calibration error is one on sources not calibrated on. */
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

/** The error of the calibration that ships, on all folds as one and on each of them. */
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
