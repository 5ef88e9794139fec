import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';
import type { Target } from '#src/core/url/target.ts';
import { createEvaluation, evaluateParts } from './evaluate-url.ts';
import type { LexicalModel } from './model.ts';
import { partsOf } from './url-parts.ts';

/** A URL, and the hash of the row of columns that the trees read for it. */
export interface GoldenRow {
  readonly url: string;
  /** Eight hexadecimal digits. */
  readonly hash: string;
}

/**
 * Rows of some URLs when the model was trained. A different hash shows that code or facts have changed the meaning of a
 * column.
 */
export interface Golden {
  /** Version of the model. */
  readonly model: string;
  readonly rows: readonly GoldenRow[];
}

/** Values are compared in thousandths, so that rounding does not differ between hosts. */
const PRECISION = 1000;

const HEADER = '# What the lexical model saw of these URLs when it was trained; `lurecheck train` writes this file.';

/** Computes the rows of URLs for a model. */
export function computeGolden(model: LexicalModel, targets: readonly Target[]): Golden {
  const evaluation = createEvaluation();
  const rows = targets.map((target) => {
    evaluateParts(model, partsOf(target, model.knowledge), evaluation);
    let hash = FNV_BASIS;
    for (const value of evaluation.row) hash = fnvStep(hash, Math.round(value * PRECISION));
    return { url: target.input, hash: mixHash(hash).toString(16).padStart(8, '0') };
  });
  return { model: model.version, rows };
}

/** Returns the text of `golden.tsv`. */
export function writeGolden({ model, rows }: Golden): string {
  return [HEADER, `# model ${model}`, ...rows.map(({ url, hash }) => `${hash}\t${url}`), ''].join('\n');
}

/** Parses what {@link writeGolden} returns; the model's name is empty if there is none. */
export function readGolden(text: string): Golden {
  const rows = [...text.matchAll(/^([0-9a-f]{8})\t(\S+)$/gm)].map(([, hash = '', url = '']) => ({ url, hash }));
  return { model: /^# model (\w+)$/m.exec(text)?.[1] ?? '', rows };
}
