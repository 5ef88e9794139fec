import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { createEvaluation, evaluateParts, maximumTotal, totalOf } from '#src/engine/lexical/evaluate-url.ts';
import { type LexicalModel, loadLexicalModel, packParams } from '#src/engine/lexical/model.ts';
import { writeSections } from '#src/engine/lexical/model-sections.ts';
import type { Row } from '../data/dataset.ts';
import { chooseFitData, sitesWithoutSignIn } from '../data/fit-data.ts';
import { FOLDS, type SplitRows, splitFold } from '../data/folds.ts';
import type { PopularSite } from '../data/popularity.ts';
import { prepare } from '../data/prepare.ts';
import { SIGN_IN_SOURCES, SOFTWARE, type Software, signInRows } from '../data/sign-in-paths.ts';
import { honestNameTests, syntheticTests } from '../data/synthetic-tests.ts';
import { buildStack, type FitOptions, fitTrees } from '../fit/fit.ts';
import { type Scored, sourceWeights } from './metrics.ts';

/** Scores of rows that a model has not seen, before calibration. */
export interface MeasuredRows extends Scored {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Equal sources, each class summing to 1: see `sourceWeights`. */
  readonly weights: Float64Array;
}

/** Input of the folds' models. */
export interface FoldInputs {
  /** Rows of the training split. */
  readonly rows: readonly Row[];
  /** The rows of the later split. */
  readonly dev: readonly Row[];
  /** Honest sites, by name. */
  readonly names: readonly string[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
  readonly options: FitOptions;
}

/** All measurements, each by its own model. */
export interface Measured {
  readonly folds: readonly MeasuredRows[];
  /** All training rows against the later split. */
  readonly dev: MeasuredRows;
  /** Synthetic rows, scored by a model fitted on all training rows except those that name their brands. */
  readonly synthetic: MeasuredRows;
}

/** Fits a model for each part on the rows outside of its test, and scores the test by the serving path. */
export function measureFolds(inputs: FoldInputs, log: (line: string) => void): Measured {
  const measure = (name: string, split: SplitRows, software: readonly Software[]) => {
    const measured = measureSplit(name, split, software, inputs);
    // The collector does not count the memory of typed arrays, and would keep those of all folds.
    Bun.gc(true);
    log(`measured ${name}`);
    return measured;
  };
  const without = sitesWithoutSignIn(inputs.rows, inputs.popularity);
  const folds = FOLDS.map((fold, index) => {
    const split = splitFold(inputs.rows, fold);
    const known = SOFTWARE.filter(({ turn }) => turn % FOLDS.length !== index);
    const leftOut = SOFTWARE.filter((software) => !known.includes(software));
    const benign = split.test.filter((row) => !row.phishing);
    const tested = [
      ...signInRows(benign, { software: known, source: SIGN_IN_SOURCES.known, without, oneIn: TEST_ONE_IN }),
      ...signInRows(benign, { software: leftOut, source: SIGN_IN_SOURCES.leftOut, without, oneIn: TEST_ONE_IN }),
    ];
    return measure(fold.name, { ...split, test: [...split.test, ...tested] }, known);
  });
  return {
    folds,
    dev: measure('dev', splitLater(inputs), SOFTWARE),
    synthetic: measure('synthetic', splitSynthetic(inputs), SOFTWARE),
  };
}

/** One host in this many is tested at a sign-in path in the fit, and as many at one that is not. */
const TEST_ONE_IN = 2;

function splitLater({ rows, dev }: FoldInputs): SplitRows {
  return { fit: rows, test: dev, testSites: new Set(dev.map(({ site }) => site)) };
}

function splitSynthetic({ rows, knowledge }: FoldInputs): SplitRows {
  const { rows: synthetic, namesHeldOut } = syntheticTests(knowledge);
  const test = [...synthetic, ...honestNameTests(rows, knowledge)];
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
  const sections = fitTrees(data, stack, knowledge, options);
  sections.set(
    'params',
    packParams({ ...options.params, depth: options.boosting.depth, slope: 1, offset: 0, curve: 0 }),
  );
  return measureRows(name, loadLexicalModel(writeSections(sections), knowledge), test);
}

/** Scores rows by a model, before calibration. */
function measureRows(name: string, model: LexicalModel, given: readonly Row[]): MeasuredRows {
  const { rows, urls, labels } = prepare(given, model.knowledge);
  const evaluation = createEvaluation();
  const scores = Float64Array.from(urls, (url, row) => {
    const target = parseTarget(`http://${rows[row]?.canon}`);
    const limit = isTargetProblem(target) ? Number.POSITIVE_INFINITY : maximumTotal(model, target, evaluation);
    evaluateParts(model, url, evaluation);
    return Math.min(totalOf(evaluation), limit);
  });
  const sources = rows.map(({ source }) => source);
  return { name, rows, scores, labels, sources, weights: sourceWeights({ labels, sources }) };
}
