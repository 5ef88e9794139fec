import { type Feature, feature } from '../analyzer.ts';
import { type ConfiguredBrand, isOnBrandDomain } from './configured-brand.ts';
import { iconLikeness } from './icon-likeness.ts';
import { type LookLikeness, lookLikeness } from './look-likeness.ts';
import type { PageView } from './page-view.ts';

/** Features of the look of a page. */
export const OWN_PRINT_FEATURES = ['page.own_look', 'page.own_icon'] as const;

export type OwnPrintFeature = (typeof OWN_PRINT_FEATURES)[number];

/**
 * Likeness from which a page is a copy. With the same fields, fewer edges suffice, and fewer still in the same colours;
 * without them, the picture must be the same. Set by `.ci/look-card.ts`.
 */
const LEAST_LAYOUT = 0.75;
const LEAST_COLOURS = 0.5;
const LEAST_EDGES = { samePicture: 0.7, sameFields: 0.45, sameFieldsAndColours: 0.36 } as const;

/** Value of a page that is just alike enough. */
const LEAST_VALUE = 0.6;

/**
 * Finds a page on a site that is neither the brand's nor another known brand's, and looks like a configured page or asks for
 * secrets under its icon.
 */
export function ownPrints(view: PageView, brands: readonly ConfiguredBrand[]): Feature<OwnPrintFeature>[] {
  const { look, icon, location, owners } = view;
  const { host } = location;
  if ((!look && !icon) || owners.size > 0 || brands.some((brand) => isOnBrandDomain(brand, host))) return [];
  const asks = view.asksToLogIn || (look !== undefined && look.fields.length > 0);
  const looks = look && asks ? brands.flatMap(({ name, looks: own = [] }) => own.map((one) => ({ name, one }))) : [];
  const icons =
    icon && view.asksToLogIn ? brands.flatMap(({ name, icons: own = [] }) => own.map((one) => ({ name, one }))) : [];
  const found: Feature<OwnPrintFeature>[] = [];
  const [likest] = looks
    .map(({ name, one }) => ({ name, picture: one.picture, value: look ? ownLookValue(lookLikeness(one, look)) : 0 }))
    .toSorted((a, b) => b.value - a.value);
  if (likest !== undefined && likest.value > 0) {
    const { name: brand, picture, value } = likest;
    const args = { brand, host: host.text, ...(picture !== null && { picture }) };
    found.push(feature('page.own_look', value, args));
  }
  const [nearest] = icons
    .map(({ name, one }) => ({ brand: name, value: icon ? iconLikeness(one, icon) : 0 }))
    .toSorted((a, b) => b.value - a.value);
  if (nearest !== undefined && nearest.value > 0) {
    found.push(feature('page.own_icon', nearest.value, { brand: nearest.brand, host: host.text }));
  }
  return found;
}

function ownLookValue(alike: LookLikeness | null): number {
  if (alike === null) return 0;
  const { layout, edges, colours } = alike;
  const hasColours = colours >= LEAST_COLOURS;
  const hasFields = layout !== null && layout >= LEAST_LAYOUT;
  const isCopy =
    (hasFields && edges >= LEAST_EDGES.sameFields) ||
    (hasFields && hasColours && edges >= LEAST_EDGES.sameFieldsAndColours) ||
    (hasColours && edges >= LEAST_EDGES.samePicture);
  return isCopy ? LEAST_VALUE + (1 - LEAST_VALUE) * edges : 0;
}
