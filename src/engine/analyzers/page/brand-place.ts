import type { Brand } from '#src/core/knowledge/brands/brands.ts';

/**
 * How much each place says about whose page it is, for a name that is unmistakable. Set by hand: a page's title, icon
 * and copyright line are its owner's, while texts and links name others all the time.
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

/** Where on a page a brand can show. */
export type Place = keyof typeof PLACES;

/** Signs of an owner; the other places also name partners, payment methods and ways to sign in. */
export const OWNERS_PLACES: ReadonlySet<Place> = new Set<Place>([
  'the canonical address',
  'the copyright line',
  'the site name in its metadata',
  'the title',
  'an icon from its own servers',
  'pictures and styles from its own servers',
  'a heading',
]);

/** Takes note of a brand that shows in a place; `weight` in (0, 1] is how surely it is that brand. */
export type See = (brand: Brand, place: Place, weight: number) => void;
