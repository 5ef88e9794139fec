import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { Row } from './dataset.ts';
import { withheldUse } from './honest-labels.ts';
import { honestNames } from './https-sites.ts';
import { movedNames } from './moved-names.ts';
import type { PopularSite } from './popularity.ts';
import { type Prepared, prepare } from './prepare.ts';
import { sampleRows } from './sample.ts';
import { SIGN_IN_SOURCES, type Software, signInRows } from './sign-in-paths.ts';

/** Input of a fit. */
export interface FitData {
  readonly rows: Prepared;
  /**
   * Benign bare hosts that only the n-gram models are fitted to: from a list of bare hosts the trees would learn that a
   * bare host is benign.
   */
  readonly names: Prepared;
  /** Honest rows that no model and no table is fitted to, for the bounds of suffixes and platforms. */
  readonly withheld: Prepared;
  readonly popularity: readonly PopularSite[];
}

export interface FitChoice {
  /** Rows that may be fitted on. */
  readonly fit: readonly Row[];
  /** All known rows; a site with a phishing row in them is not honest. */
  readonly rows: readonly Row[];
  /** Sites that are excluded from the fit. */
  readonly tested: ReadonlySet<string>;
  /** Honest sites, by name. */
  readonly names: readonly string[];
  /** Software whose sign-in paths the fit may contain. */
  readonly software: readonly Software[];
  readonly popularity: readonly PopularSite[];
  readonly knowledge: Knowledge;
}

/** One honest host in this many gets a row at a sign-in path. */
const HONEST_ONE_IN = 10;

/**
 * The same for phishing hosts, about a hundredth of the phishing rows. Without them, a path that no kit uses would count for
 * any host, and an attacker could choose such a path.
 */
const PHISHING_ONE_IN = 80;

/** Samples the rows, and adds rows that no list has: sign-in paths, honest names, and honest names under other suffixes. */
export function chooseFitData({ fit, rows, tested, names, software, popularity, knowledge }: FitChoice): FitData {
  const uses = Map.groupBy(fit, (row) => withheldUse(row, knowledge));
  const withheld = uses.get('fitted') ?? [];
  const without = new Set([...withheld, ...(uses.get('tested') ?? [])].map(({ site }) => site));
  const sample = sampleRows(fit.filter(({ site, phishing }) => phishing || !without.has(site)));
  const benign = sample.filter((row) => !row.phishing);
  const phishing = sample.filter((row) => row.phishing);
  const popular = new Set(popularity.map(({ site }) => site));
  const signIns = [
    ...signInRows(benign, {
      software,
      source: SIGN_IN_SOURCES.known,
      without: sitesWithoutSignIn(rows, popularity),
      oneIn: HONEST_ONE_IN,
    }),
    ...signInRows(phishing, { software, without: popular, oneIn: PHISHING_ONE_IN }),
  ];
  const moved = movedNames(prepare(sample, knowledge), knowledge);
  return {
    rows: prepare([...sample, ...signIns, ...moved], knowledge),
    names: prepare(
      honestNames(names, { fit: sample, rows, tested: new Set([...tested, ...without]), popularity }),
      knowledge,
    ),
    withheld: prepare(withheld, knowledge),
    popularity,
  };
}

/** Returns the sites that get no honest sign-in row: those with a phishing row, and popular ones, which have a constant. */
export function sitesWithoutSignIn(rows: readonly Row[], popularity: readonly PopularSite[]): ReadonlySet<string> {
  const phishing = rows.flatMap((row) => (row.phishing ? [row.site] : []));
  return new Set([...phishing, ...popularity.map(({ site }) => site)]);
}
