import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { createEvaluation, evaluateParts, totalOf } from '#src/engine/lexical/evaluate-url.ts';
import { buildHashTable, lookUp } from '#src/engine/lexical/hash-table.ts';
import { loadLexicalModel, packParams } from '#src/engine/lexical/model.ts';
import { type SectionName, writeSections } from '#src/engine/lexical/model-sections.ts';
import { suffixBoundCode } from '#src/engine/lexical/suffix-bound.ts';
import { hashText } from '#src/engine/lexical/text-hash.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import { kindOfSuffix } from '../data/moved-names.ts';
import { ordinaryNames, siteAt } from '../data/ordinary-names.ts';
import type { Prepared } from '../data/prepare.ts';
import type { BoostingOptions } from './boosting-options.ts';

/** Maximum scores of ordinary names. */
export interface BoundOptions {
  /** Score, before calibration, that a tenth of the ordinary names may exceed: about that of a warning. */
  readonly warn: number;
  /** The same for a hundredth of them, below the score of a block. */
  readonly block: number;
}

/** Input of scores besides the sections of a model. */
export interface BoundedFit {
  readonly bound: BoundOptions;
  readonly params: { readonly ngramShare: number; readonly popularSite: number };
  readonly boosting: Pick<BoostingOptions, 'depth'>;
}

const NAMES = 200;
const SEED = 20_261_124;

/** Minimum code of a suffix prior that is measured: below 0.5 in log-odds no ordinary name comes near the limit. */
const MIN_PRIOR = 138;

/**
 * Derives the section `suffixBounds`: for each suffix and platform the amount to subtract from every score, so that
 * ordinary bare names stay within {@link BoundOptions}. Suffixes of authorities, and platforms with few known honest
 * names, have none.
 */
export function boundSuffixes(
  sections: ReadonlyMap<SectionName, ArrayBufferView>,
  { urls }: Pick<Prepared, 'urls'>,
  knowledge: Knowledge,
  options: BoundedFit,
): Uint8Array {
  const excessOf = suffixExcess(sections, knowledge, options);
  // In the order of the suffix tables, whose keys it shares.
  const suffixes = [...new Set(urls.map(({ suffix }) => suffix))].sort((a, b) => (a < b ? -1 : 1));
  return buildHashTable(suffixes.map((suffix) => [hashText(suffix), suffixBoundCode(excessOf(suffix))])).values;
}

/** Returns a function for the log-odds by which ordinary names under a suffix exceed the limit. */
export function suffixExcess(
  sections: ReadonlyMap<SectionName, ArrayBufferView>,
  knowledge: Knowledge,
  { bound, params, boosting }: BoundedFit,
): (suffix: string) => number {
  const packed = packParams({ ...params, depth: boosting.depth, slope: 1, offset: 0 });
  const model = loadLexicalModel(writeSections(new Map([...sections, ['params', packed]])), knowledge);
  const names = ordinaryNames(NAMES, SEED, 'fitted');
  const evaluation = createEvaluation();
  return (suffix) => {
    const kind = kindOfSuffix(suffix, knowledge);
    const isBounded = kind === 'suffix' || kind === 'platform';
    if (!isBounded || lookUp(model.tables.suffixPrior, hashText(suffix)) < MIN_PRIOR) return 0;
    const scores = names.flatMap((name) => {
      const target = parseTarget(`http://${siteAt(name, suffix)}`);
      if (isTargetProblem(target)) return [];
      evaluateParts(model, partsOf(target, knowledge), evaluation);
      return totalOf(evaluation);
    });
    scores.sort((a, b) => b - a);
    const exceededBy = (share: number) => scores[Math.floor(share * scores.length)] ?? 0;
    return Math.max(0, exceededBy(0.1) - bound.warn, exceededBy(0.01) - bound.block);
  };
}
