import { found, type Sign, secretsInWords } from './signal.ts';

/** Below this the page only mentions the brand. */
const LEAST_CONFIDENCE = 0.3;
/** The same for a page that asks for nothing, as articles and shops are. */
const LEAST_CONFIDENCE_UNASKED = 0.5;

/** A secret is asked for in the name of a brand whose site this is not. */
export const foreignBrandAsks: Sign = (view) => {
  const claim = view.secrets.size > 0 ? view.claim : null;
  if (claim === null || claim.isOwn || claim.confidence < LEAST_CONFIDENCE) return null;
  return found(
    `The page asks for ${secretsInWords(view)} and presents itself as ${claim.brand.name} (by ${inWords(claim.places)}), but ${view.location.host.site} is not a site of ${claim.brand.name}`,
    claim.confidence,
  );
};

/** A page poses as a brand without asking for anything secret yet, as the first step of a login or a lure does. */
export const foreignBrand: Sign = (view) => {
  const claim = view.secrets.size === 0 ? view.claim : null;
  const least = view.asksToLogIn ? LEAST_CONFIDENCE : LEAST_CONFIDENCE_UNASKED;
  if (claim === null || claim.isOwn || claim.confidence < least) return null;
  return found(
    `The page presents itself as ${claim.brand.name} (by ${inWords(claim.places)}), but ${view.location.host.site} is not a site of ${claim.brand.name}`,
    claim.confidence * (view.asksToLogIn ? 1 : 0.5),
  );
};

/** The page belongs to the brand that it shows. */
export const ownBrand: Sign = (view) => {
  const { claim } = view;
  if (claim === null || !claim.isOwn) return null;
  return found(
    `The page presents itself as ${claim.brand.name}, and ${view.location.host.site} is a site of ${claim.brand.name}`,
    claim.confidence,
  );
};

function inWords(places: readonly string[]): string {
  return places.slice(0, 3).join(', ');
}
