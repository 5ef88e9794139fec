import facts from './ordinary-words.json' with { type: 'json' };
import { createRandom } from './random.ts';

/** Every second word is for names that a fit is bounded by, the others for names that test it. */
export type NameUse = 'fitted' | 'tested';

type WordList = 'qualities' | 'things' | 'trades' | 'families' | 'foreign' | 'places';

/** Patterns of names, with equal probability. */
const PATTERNS: readonly (readonly WordList[])[] = [
  ['qualities', 'things'],
  ['things', 'trades'],
  ['qualities', 'trades'],
  ['families', 'trades'],
  ['families', 'foreign'],
  ['foreign', 'places'],
  ['trades', 'places'],
  ['qualities', 'things', 'trades'],
];

/**
 * Returns distinct synthetic names as shops, firms and clubs choose them, in several languages; equal for equal seeds.
 * Names of different uses have no word in common.
 */
export function ordinaryNames(count: number, seed: number, use: NameUse = 'tested'): string[] {
  const random = createRandom(seed);
  const parity = use === 'tested' ? 1 : 0;
  const wordsOf = (list: WordList) => facts.entries[list].filter((_, place) => place % 2 === parity);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const names = new Set<string>();
  while (names.size < count) {
    const words = pick(PATTERNS).map((list) => pick(wordsOf(list)));
    names.add(words.join(random() < 0.3 ? '-' : ''));
  }
  return [...names];
}

/** Returns the URL, without scheme, of a site with this name under a suffix or on a platform. */
export function siteAt(name: string, place: string): string {
  return place === 'wixsite.com' ? `${name}.${place}/${name}` : `${name}.${place}`;
}
