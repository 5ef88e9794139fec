import type { Brand } from '#src/core/knowledge/brands/brands.ts';

/**
 * Confidence that each place identifies the owner of the page, for an unambiguous name. Set by hand: title, icon and
 * copyright line are the owner's, while texts and links often name others.
 */
export const PLACES = {
  'the canonical address': 0.8,
  'the copyright line': 0.65,
  'the site name in its metadata': 0.6,
  'the title': 0.6,
  'an icon from its own servers': 0.75,
  'pictures and styles from its own servers': 0.6,
  'most of the links': 0.5,
  'a logo': 0.4,
  'a heading': 0.35,
  'the form': 0.35,
  'its description': 0.35,
  'its file names': 0.25,
  'the text': 0.1,
} as const;

/** Place on a page where a brand can appear. */
export type Place = keyof typeof PLACES;

/** Places of the owner; the others also name partners, payment methods and sign-in providers. */
export const OWNERS_PLACES: ReadonlySet<Place> = new Set<Place>([
  'the canonical address',
  'the copyright line',
  'the site name in its metadata',
  'the title',
  'an icon from its own servers',
  'pictures and styles from its own servers',
  'a heading',
]);

/** Notes a brand that appears in a place; `weight` in (0, 1] is the confidence that it is that brand. */
export type NoteBrand = (brand: Brand, place: Place, weight: number) => void;
