import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knowledge } from '#src/knowledge/index.ts';
import { columnNamesHash } from '#src/lexical/model.ts';
import type { Row } from './dataset.ts';
import type { FitOptions } from './fit.ts';
import { type MeasuredRows, measureFolds } from './measure-folds.ts';
import { sourceWeights } from './metrics.ts';
import type { PopularSite } from './popularity.ts';

/** The share of the rows that the folds' models, which calibrate and are measured, are fitted on. */
const FOLD_SHARE = 0.3;

/** Raise it when the fit changes in a way that neither its options nor the names of its columns show. */
const FIT_VERSION = 1;

export interface FoldRequest {
  readonly dataDir: string;
  /** Where scores are kept; without it nothing is. */
  readonly cacheDir?: string;
  readonly rows: readonly Row[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
  readonly options: FitOptions;
  readonly log: (line: string) => void;
}

/** The folds' scores, measured or taken from an earlier run over the same data with the same options. */
export async function cachedFolds(request: FoldRequest): Promise<MeasuredRows[]> {
  const { cacheDir, rows, popularity, knowledge, options, log } = request;
  if (cacheDir === undefined) return measureFolds(rows, popularity, knowledge, options, FOLD_SHARE, log);
  const file = Bun.file(join(cacheDir, `folds-${await cacheKey(request)}.json`));
  if (await file.exists()) {
    log('took the folds from an earlier run over the same data');
    return restore(await file.json());
  }
  const measured = measureFolds(rows, popularity, knowledge, options, FOLD_SHARE, log);
  await mkdir(cacheDir, { recursive: true });
  const kept: KeptFold[] = measured.map((fold) => ({ name: fold.name, rows: fold.rows, scores: [...fold.scores] }));
  await Bun.write(file, JSON.stringify(kept));
  return measured;
}

interface KeptFold {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly scores: readonly number[];
}

function restore(folds: readonly KeptFold[]): MeasuredRows[] {
  return folds.map(({ name, rows, scores }) => {
    const labels = Uint8Array.from(rows, (row) => (row.phishing ? 1 : 0));
    const sources = rows.map(({ source }) => source);
    const weights = sourceWeights({ labels, sources });
    return { name, rows, scores: Float64Array.from(scores), labels, sources, weights };
  });
}

async function cacheKey({ dataDir, options }: FoldRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([FIT_VERSION, FOLD_SHARE, columnNamesHash()[0], options]));
  for await (const chunk of createReadStream(join(dataDir, 'train.tsv.gz'))) hash.update(chunk);
  return hash.digest('hex').slice(0, 16);
}
