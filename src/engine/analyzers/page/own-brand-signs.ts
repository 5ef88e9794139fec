import { isAtHome, type OwnBrand } from './configured-brand.ts';
import { likeness, printPage } from './page-fingerprint.ts';
import type { PageView } from './page-view.ts';
import { found, type SignFinding } from './signal.ts';
import { squash } from './words.ts';

/** Of 241,934 pairs of real login pages of different sites 20 were more alike than this, nearly all of one owner. */
const LEAST_LIKENESS = 0.4;

/** A page looks like one of the operator's own portals, or carries its name over a login, and is on a foreign host. */
export function ownBrandClone(view: PageView, brands: readonly OwnBrand[]): SignFinding | null {
  if (brands.length === 0 || brands.some((brand) => isAtHome(brand, view.location.host))) return null;
  const print = printPage(view.document);
  let best: SignFinding | null = null;
  for (const brand of brands) {
    const alike = Math.max(0, ...brand.pages.map((page) => likeness(print, page)));
    const value = (alike - LEAST_LIKENESS) / (0.9 - LEAST_LIKENESS);
    if (value > 0 && value > (best?.value ?? 0)) {
      best = found(
        `The page looks like a page of ${brand.name}, but ${view.location.host.text} is not one of its hosts`,
        value,
      );
    } else if (best === null && view.asksToLogIn && carriesName(view, brand)) {
      best = found(
        `The page asks for a login in the name of ${brand.name}, but ${view.location.host.text} is not one of its hosts`,
        0.6,
      );
    }
  }
  return best;
}

function carriesName(view: PageView, brand: OwnBrand): boolean {
  const name = squash(brand.name);
  const said = [view.document.title ?? '', ...view.document.headings].map(squash);
  return name.length > 3 && said.some((text) => text.includes(name));
}
