import type { Knowledge } from '#src/core/knowledge/index.ts';
import { createEvaluation, evaluateParts, totalOf } from '#src/engine/lexical/evaluate-url.ts';
import { type LexicalModel, loadLexicalModel, packParams } from '#src/engine/lexical/model.ts';
import { writeSections } from '#src/engine/lexical/model-sections.ts';
import type { Row } from '../data/dataset.ts';
import { chooseFitData, withoutWays } from '../data/fit-data.ts';
import { FOLDS, type SplitRows, splitFold } from '../data/folds.ts';
import { madeUpTests } from '../data/synthetic-tests.ts';
import type { PopularSite } from '../data/popularity.ts';
import { prepare } from '../data/prepare.ts';
import { SOFTWARE, type Software, WAYS_IN, waysIn } from '../data/sign-in-paths.ts';
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
  /** Honest sites, by name. */
  readonly names: readonly string[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
  readonly options: FitOptions;
}

/** All that is measured, each part by a model of its own. */
export interface Measured {
  readonly folds: readonly MeasuredRows[];
  /** All training rows against the later split. */
  readonly dev: MeasuredRows;
  /** What is made up, against all training rows but those that name the brands in it. */
  readonly madeUp: MeasuredRows;
}

/** Fits a model for each part, on the rows that its test leaves, and scores the test by the serving path. */
export function measureFolds(inputs: FoldInputs, log: (line: string) => void): Measured {
  const measure = (name: string, split: SplitRows, software: readonly Software[]) => {
    const measured = measureSplit(name, split, software, inputs);
    // Typed arrays weigh little to the collector, which would let those of all folds pile up.
    Bun.gc(true);
    log(`measured ${name}`);
    return measured;
  };
  const without = withoutWays(inputs.rows, inputs.popularity);
  const folds = FOLDS.map((fold, index) => {
    const split = splitFold(inputs.rows, fold);
    const known = SOFTWARE.filter(({ turn }) => turn % FOLDS.length !== index);
    const leftOut = SOFTWARE.filter((software) => !known.includes(software));
    const benign = split.test.filter((row) => !row.phishing);
    const tested = [
      ...waysIn(benign, { software: known, source: WAYS_IN.known, without, oneIn: TEST_ONE_IN }),
      ...waysIn(benign, { software: leftOut, source: WAYS_IN.leftOut, without, oneIn: TEST_ONE_IN }),
    ];
    return measure(fold.name, { ...split, test: [...split.test, ...tested] }, known);
  });
  return {
    folds,
    dev: measure('dev', splitLater(inputs), SOFTWARE),
    madeUp: measure('made up', splitMadeUp(inputs), SOFTWARE),
  };
}

/** One host in so many is tested at a way in that the fit knows, and as many at one that it does not. */
const TEST_ONE_IN = 2;

function splitLater({ rows, dev }: FoldInputs): SplitRows {
  return { fit: rows, test: dev, testSites: new Set(dev.map(({ site }) => site)) };
}

function splitMadeUp({ rows, knowledge }: FoldInputs): SplitRows {
  const { rows: test, namesHeldOut } = madeUpTests(knowledge);
  return { fit: rows.filter((row) => !namesHeldOut(row)), test, testSites: new Set() };
}

function measureSplit(
  name: string,
  { fit, test, testSites }: SplitRows,
  software: readonly Software[],
  inputs: FoldInputs,
): MeasuredRows {
  const { options, knowledge } = inputs;
  const data = chooseFitData({ ...inputs, fit, tested: testSites, software });
  const stack = buildStack(data, options, () => {});
  const sections = fitTrees(data.rows, stack, knowledge, options);
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
