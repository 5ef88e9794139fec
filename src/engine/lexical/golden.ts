import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';
import type { Target } from '#src/core/url/target.ts';
import { createEvaluation, evaluateParts } from './evaluate-url.ts';
import type { LexicalModel } from './model.ts';
import { partsOf } from './url-parts.ts';

/** A URL that everybody can read, and a hash of the row that the trees of a model looked at. */
export interface GoldenRow {
  readonly url: string;
  /** Eight hexadecimal digits. */
  readonly hash: string;
}

/**
 * What a model saw of some URLs when it was trained. Code or facts by which it now sees something else have changed what
 * its columns mean, whatever they are called.
 */
export interface Golden {
  /** Version of the model. */
  readonly model: string;
  readonly rows: readonly GoldenRow[];
}

/** Thousandths are what is compared, so that no machine's rounding counts. */
const PRECISION = 1000;

const HEADER = '# What the lexical model saw of these URLs when it was trained; `lurecheck train` writes this file.';

/** Looks at URLs with a model. */
export function lookAt(model: LexicalModel, targets: readonly Target[]): Golden {
  const evaluation = createEvaluation();
  const rows = targets.map((target) => {
    evaluateParts(model, partsOf(target, model.knowledge), evaluation);
    let hash = FNV_BASIS;
    for (const value of evaluation.row) hash = fnvStep(hash, Math.round(value * PRECISION));
    return { url: target.input, hash: mixHash(hash).toString(16).padStart(8, '0') };
  });
  return { model: model.version, rows };
}

/** The text of `golden.tsv`. */
export function writeGolden({ model, rows }: Golden): string {
  return [HEADER, `# model ${model}`, ...rows.map(({ url, hash }) => `${hash}\t${url}`), ''].join('\n');
}

/** Reads what {@link writeGolden} wrote; a model without a name where none is said. */
export function readGolden(text: string): Golden {
  const rows = [...text.matchAll(/^([0-9a-f]{8})\t(\S+)$/gm)].map(([, hash = '', url = '']) => ({ url, hash }));
  return { model: /^# model (\w+)$/m.exec(text)?.[1] ?? '', rows };
}
