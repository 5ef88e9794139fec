import facts from './ordinary-words.json' with { type: 'json' };
import { createRandom } from './random.ts';

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

/** Returns distinct synthetic names as shops, firms and clubs choose them, in several languages; equal for equal seeds. */
export function ordinaryNames(count: number, seed: number): string[] {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const names = new Set<string>();
  while (names.size < count) {
    const words = pick(PATTERNS).map((list) => pick(facts.entries[list]));
    names.add(words.join(random() < 0.3 ? '-' : ''));
  }
  return [...names];
}

/** Returns the URL, without scheme, of a site with this name under a suffix or on a platform. */
export function siteAt(name: string, place: string): string {
  return place === 'wixsite.com' ? `${name}.${place}/${name}` : `${name}.${place}`;
}
