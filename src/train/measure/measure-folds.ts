import type { Knowledge } from '#src/knowledge/index.ts';
import { createEvaluation, evaluateParts, totalOf } from '#src/lexical/evaluate-url.ts';
import { type LexicalModel, loadLexicalModel, packParams } from '#src/lexical/model.ts';
import { writeSections } from '#src/lexical/model-sections.ts';
import type { Row } from '../data/dataset.ts';
import { FOLDS, splitFold } from '../data/folds.ts';
import type { PopularSite } from '../data/popularity.ts';
import { prepare } from '../data/prepare.ts';
import { sampleRows } from '../data/sample.ts';
import { buildStack, type FitOptions, fitTrees } from '../fit/fit.ts';
import { type Scored, sourceWeights } from './metrics.ts';

/** Scores of rows that a model has not seen, not calibrated unless the model is. */
export interface MeasuredRows extends Scored {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Sources equal, each class summing to 1: see `sourceWeights`. */
  readonly weights: Float64Array;
}

/** What the models of folds are fitted on and with. */
export interface FoldInputs {
  /** The rows of the training split. */
  readonly rows: readonly Row[];
  /** The rows of the later split. */
  readonly dev: readonly Row[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
  readonly options: FitOptions;
}

/**
 * Fits a model for each fold, on the rows that its test leaves, and scores the test by the serving path. The
 * last one is `dev`: all training rows against the later split.
 */
export function measureFolds(inputs: FoldInputs, log: (line: string) => void): MeasuredRows[] {
  const measured: MeasuredRows[] = [];
  for (const fold of [...FOLDS, null]) {
    const { fit, test } = fold ? splitFold(inputs.rows, fold) : { fit: inputs.rows, test: inputs.dev };
    measured.push(measureSplit(fold?.name ?? 'dev', sampleRows(fit), test, inputs));
    // Typed arrays weigh little to the collector, which would let those of all folds pile up.
    Bun.gc(true);
    log(`measured ${fold ? `without ${fold.name}` : 'dev'}`);
  }
  return measured;
}

function measureSplit(name: string, fit: readonly Row[], test: readonly Row[], inputs: FoldInputs): MeasuredRows {
  const { popularity, knowledge, options } = inputs;
  const data = prepare(fit, knowledge);
  const stack = buildStack(data, popularity, options, () => {});
  const sections = fitTrees(data, stack, options);
  sections.set('params', packParams({ ...options.params, depth: options.boosting.depth, slope: 1, offset: 0 }));
  return measureRows(name, loadLexicalModel(writeSections(sections), knowledge), test);
}

/** Scores rows by a model, in log-odds relative to the base rate where the model is calibrated. */
function measureRows(name: string, model: LexicalModel, given: readonly Row[]): MeasuredRows {
  const { rows, urls, labels } = prepare(given, model.knowledge);
  const evaluation = createEvaluation();
  const scores = Float64Array.from(urls, (url) => {
    evaluateParts(model, url, evaluation);
    return model.slope * totalOf(evaluation) + model.offset;
  });
  const sources = rows.map(({ source }) => source);
  return { name, rows, scores, labels, sources, weights: sourceWeights({ labels, sources }) };
}
