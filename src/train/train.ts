import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SectionName, writeSections } from '#src/lexical/model-sections.ts';
import { type Row, readRows } from './dataset.ts';
import { FITS, fitLogistic, LOGISTIC_DEFAULTS, logisticFieldSums } from './logistic.ts';
import { collectRows } from './ngram-rows.ts';
import { fitPlatt } from './platt.ts';
import { prepare } from './prepare.ts';
import { quantiseMean } from './quantise.ts';
import { sampleRows } from './sample.ts';
import { rowWeights } from './weights.ts';

/** N-grams are hashed into 2²¹ weights. */
const NGRAM_BITS = 21;

export interface TrainOptions {
  /** The folder that holds `train.tsv.gz`. */
  readonly dataDir: string;
  /** Where `lexical.bin` is written. */
  readonly outDir: string;
  readonly log: (line: string) => void;
  /** The same seed over the same data gives the same bytes. */
  readonly seed?: number;
}

/** Fits the lexical model and writes `lexical.bin`. Throws `DatasetError` for a folder without the data. */
export async function train({ dataDir, outDir, log, seed = 1 }: TrainOptions): Promise<void> {
  const all: Row[] = [];
  for await (const row of readRows(dataDir, 'train')) all.push(row);
  const { rows, urls, labels, held } = prepare(sampleRows(all));
  log(`read ${all.length} rows, fitting on ${rows.length}`);
  const ngrams = collectRows(urls);
  const weights = rowWeights(rows);
  const fits = fitLogistic(ngrams, labels, weights, held, NGRAM_BITS, { ...LOGISTIC_DEFAULTS, seed });
  log('fitted the n-gram models');
  const sums = new Float64Array(ngrams.fields);
  const scores = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const fit = held[row] ?? 0;
    logisticFieldSums(fits, ngrams, row, fit, sums);
    scores[row] = sums.reduce((sum, value) => sum + value, fits.biases[fit] ?? 0);
  }
  const { slope, offset } = fitPlatt(scores, labels, Float64Array.from(weights));
  const bias = fits.biases.reduce((sum, value) => sum + value / FITS, 0);
  const quantised = quantiseMean(fits);
  const sections = new Map<SectionName, ArrayBufferView>([
    ['params', Float64Array.of(bias, slope, offset)],
    ['ngramWeights', quantised.weights],
    ['ngramCodebook', quantised.codebook],
  ]);
  await mkdir(outDir, { recursive: true });
  await Bun.write(join(outDir, 'lexical.bin'), writeSections(sections));
  log(`wrote lexical.bin (slope ${slope.toFixed(3)}, offset ${offset.toFixed(3)})`);
}
