import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import { type ConfiguredBrand, isOnBrandDomain } from './configured-brand.ts';
import { fingerprintPage, likeness } from './page-fingerprint.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type SignalFinding } from './signal.ts';
import { squash } from './words.ts';

/** Of 241,934 pairs of login pages of different sites, 20 were more alike than this, nearly all of one owner. */
const MIN_LIKENESS = 0.4;

type Clone = SignalFinding<ArgsOf<'page.own_brand_clone'>>;

/**
 * Returns a finding if a page on another host looks like a configured page, or is a login that carries the brand's
 * name.
 */
export function configuredBrandClone(view: PageView, brands: readonly ConfiguredBrand[]): Clone | null {
  if (brands.length === 0 || brands.some((brand) => isOnBrandDomain(brand, view.location.host))) return null;
  const print = fingerprintPage(view.document);
  let best: Clone | null = null;
  const { text: host } = view.location.host;
  for (const brand of brands) {
    const alike = Math.max(0, ...brand.pages.map((page) => likeness(print, page)));
    const value = (alike - MIN_LIKENESS) / (0.9 - MIN_LIKENESS);
    if (value > 0 && value > (best?.value ?? 0)) {
      best = findingOf({ kind: 'page', brand: brand.name, host }, value);
    } else if (best === null && view.asksToLogIn && carriesName(view, brand)) {
      best = findingOf({ kind: 'name', brand: brand.name, host }, 0.6);
    }
  }
  return best;
}

function carriesName(view: PageView, brand: ConfiguredBrand): boolean {
  const name = squash(brand.name);
  const said = [view.document.title ?? '', ...view.document.headings].map(squash);
  return name.length > 3 && said.some((text) => text.includes(name));
}
