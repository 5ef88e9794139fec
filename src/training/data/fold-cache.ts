import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { columnNamesHash } from '#src/engine/lexical/model.ts';
import { type FoldInputs, type Measured, type MeasuredRows, measureFolds } from '../measure/measure-folds.ts';
import { sourceWeights } from '../measure/metrics.ts';
import { ROW_FILES, type Row } from './dataset.ts';
import { SOFTWARE } from './sign-in-paths.ts';

/** Raise it when the fit changes in a way that neither its options nor the names of its columns show. */
const FIT_VERSION = 12;

export interface FoldRequest extends FoldInputs {
  readonly dataDir: string;
  /** Where scores are kept; without it nothing is. */
  readonly cacheDir?: string;
  readonly log: (line: string) => void;
}

/** All scores, measured or taken from an earlier run over the same data with the same options. */
export async function cachedFolds(request: FoldRequest): Promise<Measured> {
  const { cacheDir, log } = request;
  if (cacheDir === undefined) return measureFolds(request, log);
  const file = Bun.file(join(cacheDir, `folds-${await cacheKey(request)}.json`));
  if (await file.exists()) {
    log('took the folds from an earlier run over the same data');
    const kept: readonly KeptRows[] = await file.json();
    const [dev, madeUp, ...folds] = kept.map(restore);
    if (dev && madeUp) return { folds, dev, madeUp };
  }
  const measured = measureFolds(request, log);
  await mkdir(cacheDir, { recursive: true });
  const parts = [measured.dev, measured.madeUp, ...measured.folds];
  const kept: KeptRows[] = parts.map(({ name, rows, scores }) => ({ name, rows, scores: [...scores] }));
  await Bun.write(file, JSON.stringify(kept));
  return measured;
}

interface KeptRows {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly scores: readonly number[];
}

function restore({ name, rows, scores }: KeptRows): MeasuredRows {
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
