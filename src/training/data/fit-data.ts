import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Row } from './dataset.ts';
import { honestNames } from './https-sites.ts';
import { movedNames } from './moved-names.ts';
import type { PopularSite } from './popularity.ts';
import { type Prepared, prepare } from './prepare.ts';
import { sampleRows } from './sample.ts';
import { type Software, WAYS_IN, waysIn } from './sign-in-paths.ts';

/** What a model is fitted to. */
export interface FitData {
  readonly rows: Prepared;
  /**
   * Bare hosts, benign, that the n-gram models alone are fitted to as well: from a list of bare hosts the trees would
   * learn that a bare host is benign.
   */
  readonly names: Prepared;
  readonly popularity: readonly PopularSite[];
}

export interface FitChoice {
  /** Rows that may be fitted on. */
  readonly fit: readonly Row[];
  /** All that is known, of which sites with a phishing row are no honest ones. */
  readonly rows: readonly Row[];
  /** Sites of which nothing may be fitted on. */
  readonly tested: ReadonlySet<string>;
  /** Honest sites, by name. */
  readonly names: readonly string[];
  /** Whose addresses the fit may know. */
  readonly software: readonly Software[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
}

/** One honest host in so many has a row at a way in. */
const HONEST_ONE_IN = 10;

/**
 * So does one phishing host in so many, about a hundredth of phishing as well: addresses that no kit uses would speak for
 * any host else, and whoever puts a kit there would be believed.
 */
const PHISHING_ONE_IN = 80;

/** Samples the rows, and adds to them what no list has: ways in, honest names, and honest names moved to where they lack. */
export function chooseFitData({ fit, rows, tested, names, software, popularity, knowledge }: FitChoice): FitData {
  const sample = sampleRows(fit);
  const benign = sample.filter((row) => !row.phishing);
  const phishing = sample.filter((row) => row.phishing);
  const popular = new Set(popularity.map(({ site }) => site));
  const ways = [
    ...waysIn(benign, {
      software,
      source: WAYS_IN.known,
      without: withoutWays(rows, popularity),
      oneIn: HONEST_ONE_IN,
    }),
    ...waysIn(phishing, { software, without: popular, oneIn: PHISHING_ONE_IN }),
  ];
  const moved = movedNames(prepare(sample, knowledge), knowledge);
  return {
    rows: prepare([...sample, ...ways, ...moved], knowledge),
    names: prepare(honestNames(names, { fit: sample, rows, tested, popularity }), knowledge),
    popularity,
  };
}

/** Sites that get no honest way in: those known for phishing, and popular ones, which have a constant of their own. */
export function withoutWays(rows: readonly Row[], popularity: readonly PopularSite[]): ReadonlySet<string> {
  const phishing = rows.flatMap((row) => (row.phishing ? [row.site] : []));
  return new Set([...phishing, ...popularity.map(({ site }) => site)]);
}
