import type { Knowledge } from '#src/knowledge/index.ts';
import { createEvaluation, evaluateParts, totalOf } from '#src/lexical/evaluate-url.ts';
import { type LexicalModel, loadLexicalModel, packParams } from '#src/lexical/model.ts';
import { writeSections } from '#src/lexical/model-sections.ts';
import type { Row } from './dataset.ts';
import { buildStack, type FitOptions, fitTrees } from './fit.ts';
import { FOLDS, splitFold } from './folds.ts';
import { type Scored, sourceWeights } from './metrics.ts';
import type { PopularSite } from './popularity.ts';
import { prepare } from './prepare.ts';
import { sampleRows } from './sample.ts';

/** Scores of rows that a model has not seen, not calibrated unless the model is. */
export interface MeasuredRows extends Scored {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Sources equal, each class summing to 1: see `sourceWeights`. */
  readonly weights: Float64Array;
}

/** Fits a model for each fold, on `share` of the rows that its test leaves, and scores the test by the serving path. */
export function measureFolds(
  rows: readonly Row[],
  popularity: readonly PopularSite[],
  knowledge: Knowledge,
  options: FitOptions,
  share: number,
  log: (line: string) => void,
): MeasuredRows[] {
  return FOLDS.map((fold) => {
    const { fit, test } = splitFold(rows, fold);
    const data = prepare(sampleRows(fit, share), knowledge);
    const sections = fitTrees(
      data,
      buildStack(data, popularity, options, () => {}),
      options,
    );
    sections.set('params', packParams({ ...options.params, depth: options.boosting.depth, slope: 1, offset: 0 }));
    const measured = measureRows(fold.name, loadLexicalModel(writeSections(sections), knowledge), test);
    log(`measured without ${fold.name}: fitted on ${data.rows.length} rows, tested on ${measured.rows.length}`);
    return measured;
  });
}

/** Scores rows by a model, in log-odds relative to the base rate where the model is calibrated. */
export function measureRows(name: string, model: LexicalModel, given: readonly Row[]): MeasuredRows {
  const { rows, urls, labels } = prepare(given, model.knowledge);
  const evaluation = createEvaluation();
  const scores = Float64Array.from(urls, (url) => {
    evaluateParts(model, url, evaluation);
    return model.slope * totalOf(evaluation) + model.offset;
  });
  const sources = rows.map(({ source }) => source);
  return { name, rows, scores, labels, sources, weights: sourceWeights({ labels, sources }) };
}
