import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** One row of the data folder, with the columns that training uses. */
export interface Row {
  readonly phishing: boolean;
  readonly source: string;
  /** `2025-02-21`, shorter if the source is coarser, empty if unknown. */
  readonly date: string;
  /** URL without scheme, `www.`, default port and final slash of a bare host. */
  readonly canon: string;
  /** Site of one publisher; rows of one site are never in two folds. */
  readonly site: string;
  readonly hosted: boolean;
  readonly bare: boolean;
}

/** The data folder is incomplete, or not as its README describes. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly code = 'dataset_invalid';
}

const COLUMNS = ['label', 'source', 'date', 'url', 'has_scheme', 'canon', 'regdom', 'site', 'hosted', 'bare'];

/** Files of each split. `benign-more.tsv.gz` was collected after the splits were drawn; it is trained on. */
const SPLIT_FILES = { train: ['train.tsv.gz', 'benign-more.tsv.gz'], dev: ['dev.tsv.gz'] } as const;

/** A split of the rows; `dev` has later months and other sites. */
export type Split = keyof typeof SPLIT_FILES;

/** Files of the data folder with rows. */
export const ROW_FILES = Object.values(SPLIT_FILES).flat();

async function* readRows(dataDir: string, file: (typeof ROW_FILES)[number]): AsyncGenerator<Row> {
  const path = join(dataDir, file);
  if (!(await Bun.file(path).exists())) throw new DatasetError(`${file} not found in the data folder`);
  const lines = createInterface({
    input: createReadStream(path).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let header = true;
  for await (const line of lines) {
    const cells = line.split('\t');
    if (header) {
      header = false;
      if (COLUMNS.some((column, index) => cells[index] !== column)) {
        throw new DatasetError(`${file} must begin with the columns ${COLUMNS.join(', ')}`);
      }
      continue;
    }
    const [label, source = '', date = '', , , canon = '', , site = '', hosted, bare] = cells;
    if (canon === '' || (label !== 'phish' && label !== 'benign')) continue;
    yield {
      phishing: label === 'phish',
      source,
      date: date.slice(0, 10),
      canon,
      site,
      hosted: hosted === '1',
      bare: bare === '1',
    };
  }
}

/**
 * Reads all rows of a split; about 400 MB for the training rows. Throws {@link DatasetError} for a missing file or
 * other columns.
 */
export async function readAllRows(dataDir: string, split: Split): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of SPLIT_FILES[split]) for await (const row of readRows(dataDir, file)) rows.push(row);
  return rows;
}
