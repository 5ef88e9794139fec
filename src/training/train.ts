import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { computeGolden, readGolden, writeGolden } from '#src/engine/lexical/golden.ts';
import { loadLexicalModel, packParams } from '#src/engine/lexical/model.ts';
import { writeSections } from '#src/engine/lexical/model-sections.ts';
import goldenText from '#src/engine/models/golden.tsv' with { type: 'text' };
import { readAllRows } from './data/dataset.ts';
import { chooseFitData } from './data/fit-data.ts';
import { cachedFolds } from './data/fold-cache.ts';
import { readPopularity } from './data/popularity.ts';
import { SOFTWARE } from './data/sign-in-paths.ts';
import { buildStack, fitTrees, seededOptions } from './fit/fit.ts';
import { calibrate, chooseThresholds, poolRows } from './measure/calibrate.ts';

export interface TrainOptions {
  /** Folder with both splits. */
  readonly dataDir: string;
  /** Folder of `lexical.bin` and `golden.tsv`. */
  readonly outDir: string;
  /** Honest sites, as read by `readHttpsSites`; fewer in a test. */
  readonly names: readonly string[];
  /** Facts that the model will be used with. */
  readonly knowledge: Knowledge;
  readonly log: (line: string) => void;
  /** Cache of the folds' scores, which `evaluate` uses as well; without it they are not cached. */
  readonly cacheDir?: string;
  /** Equal seeds over equal data give equal bytes; 1 by default. */
  readonly seed?: number;
}

/**
 * Fits the lexical model and writes `lexical.bin`: calibrated on folds that exclude sources, then fitted on all rows,
 * including those of dev. `golden.tsv` lets a test detect columns that change their meaning. `evaluate` measures dev by
 * a model that has not seen it. Throws `DatasetError` for a folder without the data.
 */
export async function train(given: TrainOptions): Promise<void> {
  const { dataDir, outDir, names, knowledge, log, seed = 1 } = given;
  const rows = await readAllRows(dataDir, 'train');
  const dev = await readAllRows(dataDir, 'dev');
  const popularity = await readPopularity();
  log(`read ${rows.length} rows, ${popularity.length} popular sites and ${names.length} names`);
  const options = seededOptions(seed);
  const pooled = poolRows((await cachedFolds({ ...given, rows, dev, popularity, options })).folds);
  const calibration = calibrate(pooled);
  const { warn, block } = chooseThresholds(pooled, calibration);
  const { slope, offset, curve } = calibration;
  log(`calibrated: slope ${slope.toFixed(3)}, offset ${offset.toFixed(3)}, curve ${curve.toFixed(4)}`);
  log(`thresholds at a base rate of 5 %: warn ${warn.toFixed(3)}, block ${block.toFixed(3)}`);
  // The rows of dev are the latest. Campaigns change monthly, so the shipped model is fitted on them as well.
  const all = [...rows, ...dev];
  const choice = { fit: all, rows: all, tested: new Set<string>(), names, software: SOFTWARE, popularity, knowledge };
  const data = chooseFitData(choice);
  const stack = buildStack(data, options, log);
  const sections = fitTrees(data, stack, knowledge, options);
  sections.set('params', packParams({ ...options.params, depth: options.boosting.depth, ...calibration }));
  const file = writeSections(sections);
  await mkdir(outDir, { recursive: true });
  await Bun.write(join(outDir, 'lexical.bin'), file);
  await Bun.write(
    join(outDir, 'golden.tsv'),
    writeGolden(computeGolden(loadLexicalModel(file, knowledge), goldenTargets())),
  );
  log(`wrote lexical.bin: ${file.byteLength} bytes, fitted on ${data.rows.rows.length} rows`);
}

function goldenTargets(): Target[] {
  return readGolden(goldenText).rows.flatMap(({ url }) => {
    const target = parseTarget(url);
    return isTargetProblem(target) ? [] : target;
  });
}
