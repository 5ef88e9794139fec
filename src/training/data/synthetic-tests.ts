import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { brandImitations, heldOutBrands } from './brand-imitations.ts';
import type { Row } from './dataset.ts';
import { labelsOf, someNames, withheldUse } from './honest-labels.ts';
import { ordinaryNames, siteAt } from './ordinary-names.ts';
import words from './ordinary-words.json' with { type: 'json' };
import { prepare } from './prepare.ts';

/** Seed of the synthetic tests; no fit uses it. */
const SEED = 20_261_123;
const NAMES = 300;

/** Suffixes and platforms of ordinary names, as an honest shop, firm or club may choose them. */
export const TESTED_PLACES = words.entries.tested;

/** Synthetic rows that test a fit which has not seen their brands. */
export interface SyntheticTests {
  readonly rows: readonly Row[];
  /** Returns true if a row names one of the held-out brands. */
  readonly namesHeldOut: (row: Row) => boolean;
}

/**
 * Returns imitations of brands as phishing rows, with kind and form as their source, and ordinary names as benign rows,
 * with their place.
 */
export function syntheticTests(knowledge: Knowledge): SyntheticTests {
  const brands = heldOutBrands(knowledge, SEED);
  const imitations = brandImitations(brands, SEED).map(({ kind, form, canon }) =>
    rowOf(canon, `${kind}, ${form}`, true),
  );
  const names = ordinaryNames(NAMES, SEED);
  const ordinary = [...TESTED_PLACES.suffixes, ...TESTED_PLACES.platforms].flatMap((place) =>
    names.map((name) => rowOf(siteAt(name, place), place, false)),
  );
  const isHeldOut = new Set(brands);
  return {
    rows: [...imitations, ...ordinary],
    namesHeldOut: ({ canon }) => {
      const target = parseTarget(`http://${canon}`);
      if (isTargetProblem(target)) return false;
      return knowledge.brandMatcher.find(target).some(({ brand }) => isHeldOut.has(brand));
    },
  };
}

/** Source of the rows of {@link honestNameTests}, behind the place. */
export const HONEST = ' (collected)';

/**
 * Returns names of collected honest sites that are in no fit and measure no bound, as benign rows at each of
 * {@link TESTED_PLACES}: those of shops, firms and clubs under suffixes, those of users on platforms.
 */
export function honestNameTests(rows: readonly Row[], knowledge: Knowledge): Row[] {
  const tested = rows.filter((row) => withheldUse(row, knowledge) === 'tested');
  const { domains, users } = labelsOf(prepare(tested, knowledge));
  const at = (places: readonly string[], names: readonly string[]) =>
    places.flatMap((place) =>
      someNames(names, NAMES).map((name) => rowOf(siteAt(name, place), `${place}${HONEST}`, false)),
    );
  return [...at(TESTED_PLACES.suffixes, domains), ...at(TESTED_PLACES.platforms, users)];
}

function rowOf(canon: string, source: string, phishing: boolean): Row {
  return { phishing, source, date: '', canon, site: canon, hosted: false, bare: !canon.includes('/') };
}
