import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { columnNamesHash } from '#src/engine/lexical/model.ts';
import { type FoldInputs, type Measured, type MeasuredRows, measureFolds } from '../measure/measure-folds.ts';
import { sourceWeights } from '../measure/metrics.ts';
import { ROW_FILES, type Row } from './dataset.ts';
import { SOFTWARE } from './sign-in-paths.ts';

/** Version of the fit; raise it for changes that neither the options nor the column names reflect. */
const FIT_VERSION = 15;

export interface FoldRequest extends FoldInputs {
  readonly dataDir: string;
  /** Folder where scores are cached; without it, they are not. */
  readonly cacheDir?: string;
  readonly log: (line: string) => void;
}

/** Measures all folds, or reads the scores of an earlier run over the same data with the same options. */
export async function cachedFolds(request: FoldRequest): Promise<Measured> {
  const { cacheDir, log } = request;
  if (cacheDir === undefined) return measureFolds(request, log);
  const file = Bun.file(join(cacheDir, `folds-${await cacheKey(request)}.json`));
  if (await file.exists()) {
    log('reused the folds of an earlier run over the same data');
    const cached: readonly CachedRows[] = await file.json();
    const [dev, synthetic, ...folds] = cached.map(restore);
    if (dev && synthetic) return { folds, dev, synthetic };
  }
  const measured = measureFolds(request, log);
  await mkdir(cacheDir, { recursive: true });
  const parts = [measured.dev, measured.synthetic, ...measured.folds];
  const cached: CachedRows[] = parts.map(({ name, rows, scores }) => ({ name, rows, scores: [...scores] }));
  await Bun.write(file, JSON.stringify(cached));
  return measured;
}

interface CachedRows {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly scores: readonly number[];
}

function restore({ name, rows, scores }: CachedRows): MeasuredRows {
  const labels = Uint8Array.from(rows, (row) => (row.phishing ? 1 : 0));
  const sources = rows.map(({ source }) => source);
  const weights = sourceWeights({ labels, sources });
  return { name, rows, scores: Float64Array.from(scores), labels, sources, weights };
}

async function cacheKey({ dataDir, names, options }: FoldRequest): Promise<string> {
  const hash = createHash('sha256').update(
    JSON.stringify([FIT_VERSION, columnNamesHash()[0], options, names, SOFTWARE]),
  );
  for (const name of ROW_FILES) {
    for await (const chunk of createReadStream(join(dataDir, name))) hash.update(chunk);
  }
  return hash.digest('hex').slice(0, 16);
}
