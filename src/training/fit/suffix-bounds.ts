import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { createEvaluation, evaluateParts, suffixBoundCode, totalOf } from '#src/engine/lexical/evaluate-url.ts';
import { buildHashTable, hashText, lookUp } from '#src/engine/lexical/hash-table.ts';
import { loadLexicalModel, packParams } from '#src/engine/lexical/model.ts';
import { type SectionName, writeSections } from '#src/engine/lexical/model-sections.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import type { FitData } from '../data/fit-data.ts';
import { type HonestNames, honestNamesOf, isWebsitePlatform, someNames } from '../data/honest-labels.ts';
import { kindOfSuffix } from '../data/moved-names.ts';
import { siteAt } from '../data/ordinary-names.ts';
import type { BoostingOptions } from './boosting-options.ts';

/** Maximum scores before calibration, a little below those of a warning and of a block, since other names exceed them. */
export interface BoundLimits {
  readonly warn: number;
  readonly block: number;
}

/** Limits of names under suffixes, of users of platforms, where every second name has a number, and of names under rare suffixes. */
export interface BoundOptions {
  readonly domains: BoundLimits;
  readonly rare: BoundLimits;
  readonly users: BoundLimits;
}

/**
 * Shares of the names that may exceed the limits. Numbers behind names are most of what is phishing on platforms, so that a
 * smaller share costs 2 points of what is caught.
 */
export const SHARES: Readonly<Record<keyof BoundOptions, BoundLimits>> = {
  domains: { warn: 0.1, block: 0.01 },
  rare: { warn: 0.1, block: 0.01 },
  users: { warn: 0.3, block: 0.03 },
};

/** Input of scores besides the sections of a model. */
export interface BoundedFit {
  readonly bound: BoundOptions;
  readonly params: { readonly ngramShare: number; readonly popularSite: number };
  readonly boosting: Pick<BoostingOptions, 'depth'>;
}

/** Number of names of each kind. */
const NAMES = 400;

/** Minimum code of a suffix prior that is measured: below 0.5 in log-odds no ordinary name comes near the limit. */
const MIN_PRIOR = 138;

/**
 * Minimum number of known honest sites under a suffix that is not rare. Under rare ones a warning is right more often than
 * not, so that only blocks are bounded: of 77 phishing sites that a bound on `.cyou` hid in a later test, none had an honest
 * neighbour.
 */
export const MIN_HONEST = 110;

/**
 * Derives the section `suffixBounds`: for each suffix and platform the amount to subtract from every score, so that
 * honest bare names stay within {@link BoundOptions}. Suffixes of authorities, and platforms other than of websites have none.
 */
export function boundSuffixes(
  sections: ReadonlyMap<SectionName, ArrayBufferView>,
  data: FitData,
  knowledge: Knowledge,
  options: BoundedFit,
): Uint8Array {
  const excessOf = suffixExcess(sections, honestNamesOf(data), knowledge, options);
  // In the order of the suffix tables, whose keys it shares.
  const suffixes = [...new Set(data.rows.urls.map(({ suffix }) => suffix))].sort((a, b) => (a < b ? -1 : 1));
  return buildHashTable(suffixes.map((suffix) => [hashText(suffix), suffixBoundCode(excessOf(suffix))])).values;
}

/** Returns a function for the log-odds by which honest names under a suffix exceed the limit. */
export function suffixExcess(
  sections: ReadonlyMap<SectionName, ArrayBufferView>,
  honest: HonestNames,
  knowledge: Knowledge,
  { bound, params, boosting }: BoundedFit,
): (suffix: string) => number {
  const packed = packParams({ ...params, depth: boosting.depth, slope: 1, offset: 0, curve: 0 });
  const model = loadLexicalModel(writeSections(new Map([...sections, ['params', packed]])), knowledge);
  const domains = someNames(honest.domains, NAMES);
  const users = someNames(honest.users, NAMES).map((name, index) => (index % 2 === 0 ? name : numbered(name)));
  const evaluation = createEvaluation();
  return (suffix) => {
    const kind = kindOfSuffix(suffix, knowledge);
    const isPlatform = isWebsitePlatform(suffix, knowledge);
    const isMeasured = isPlatform || kind === 'suffix';
    if (!isMeasured || lookUp(model.tables.suffixPrior, hashText(suffix)) < MIN_PRIOR) return 0;
    const scores = (isPlatform ? users : domains).flatMap((name) => {
      const target = parseTarget(`http://${siteAt(name, suffix)}`);
      if (isTargetProblem(target)) return [];
      evaluateParts(model, partsOf(target, knowledge), evaluation);
      return totalOf(evaluation);
    });
    scores.sort((a, b) => b - a);
    const exceededBy = (share: number) => scores[Math.floor(share * scores.length)] ?? 0;
    const isRare = (honest.sites.get(suffix) ?? 0) < MIN_HONEST;
    const use = isPlatform ? 'users' : isRare ? 'rare' : 'domains';
    const [limits, shares] = [bound[use], SHARES[use]];
    return Math.max(0, exceededBy(shares.warn) - limits.warn, exceededBy(shares.block) - limits.block);
  };
}

/** Returns the name with a number, as teams, troops and school classes have it: one to four digits, by the name. */
function numbered(name: string): string {
  const lot = mixHash(fnvHash(`number ${name}`));
  return `${name.slice(0, 16).replace(/[\d-]+$/, '')}${(lot >>> 4) % 10 ** (1 + (lot % 4))}`;
}
