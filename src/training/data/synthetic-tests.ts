import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { brandImitations, heldOutBrands } from './brand-imitations.ts';
import type { Row } from './dataset.ts';
import { ordinaryNames, siteAt } from './ordinary-names.ts';
import words from './ordinary-words.json' with { type: 'json' };

/** Seeds of what is made up, other than any that something is fitted with. */
const SEED = 20_261_123;
const NAMES = 300;

/** Where ordinary names are put, as an honest shop, firm or club may choose. */
export const TESTED_PLACES = words.entries.tested;

/** Rows that nobody collected, by which a fit is tested that has seen nothing of the brands in them. */
export interface MadeUpTests {
  readonly rows: readonly Row[];
  /** Whether a row names one of the brands that are held out. */
  readonly namesHeldOut: (row: Row) => boolean;
}

/** Imitations of brands as phishing rows, with kind and form as their source, and ordinary names as benign ones, with their place. */
export function madeUpTests(knowledge: Knowledge): MadeUpTests {
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

function rowOf(canon: string, source: string, phishing: boolean): Row {
  return { phishing, source, date: '', canon, site: canon, hosted: false, bare: !canon.includes('/') };
}
