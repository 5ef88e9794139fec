import type { ArgsOf } from '#src/engine/reasons/reason.ts';
import type { PageBrand } from './brand-claim.ts';
import { type ConfiguredBrand, isOnBrandDomain } from './configured-brand.ts';
import { fingerprintPage, likeness } from './page-fingerprint.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type Signal, type SignalFinding, secretsInWords } from './signal.ts';
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

/** Minimum confidence in a claim; below it the page only mentions the brand. */
const MIN_CONFIDENCE = 0.3;
/** The same for a page that asks for nothing, such as an article or a shop. */
const MIN_CONFIDENCE_UNASKED = 0.5;

/** The page asks for a secret in the name of a brand to which the site does not belong. */
export const foreignBrandAsks: Signal<'page.asks_as_foreign_brand'> = (view) => {
  const claim = view.secrets.size > 0 ? view.claim : null;
  if (claim === null || claim.isOwn || claim.confidence < MIN_CONFIDENCE) return null;
  return findingOf(
    { secrets: secretsInWords(view), ...namesOf(claim, view), sign: claim.places.slice(0, 3).join(', ') },
    claim.confidence,
  );
};

/** The page presents itself as a brand without asking for a secret, like the first step of a login or a lure. */
export const foreignBrand: Signal<'page.foreign_brand'> = (view) => {
  const claim = view.secrets.size === 0 ? view.claim : null;
  const least = view.asksToLogIn ? MIN_CONFIDENCE : MIN_CONFIDENCE_UNASKED;
  if (claim === null || claim.isOwn || claim.confidence < least) return null;
  return findingOf(
    { ...namesOf(claim, view), sign: claim.places.slice(0, 3).join(', ') },
    claim.confidence * (view.asksToLogIn ? 1 : 0.5),
  );
};

/** The page belongs to the brand that it presents itself as. */
export const ownBrand: Signal<'page.own_brand'> = (view) => {
  const { claim } = view;
  if (claim === null || !claim.isOwn) return null;
  return findingOf(namesOf(claim, view), claim.confidence);
};

function namesOf({ brand: { name } }: PageBrand, { location: { host } }: PageView) {
  return { brand: name, site: host.site, owner: name };
}
