import type { PageBrand } from './brand-claim.ts';
import type { PageView } from './page-view.ts';
import { findingOf, type Signal, secretsInWords } from './signal.ts';

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
