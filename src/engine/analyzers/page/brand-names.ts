import type { Brand, BrandTable } from '#src/core/knowledge/brands/brands.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import { isGeneric, squash, wordsOf } from './words.ts';

/** A brand that a text names. */
export interface NamedBrand {
  readonly brand: Brand;
  /** Confidence that the name means the brand, in (0, 1]; low for an ordinary word that is also a brand. */
  readonly weight: number;
}

/** Finds names of brands in text. */
export interface BrandNames {
  /**
   * Returns each brand once, by whole words, in the first 400 words. A name that is a whole part of the text (`Log in
   * to DHL | Parcels`) counts even if it is an ordinary word.
   */
  find(text: string): NamedBrand[];
  /** Returns the first word that resembles a brand's name (`rnicrosoft`), with that brand; null if none. */
  findDisguised(text: string): { readonly brand: Brand; readonly word: string } | null;
}

/** Software that anybody runs on their own host; its name says nothing about the owner of the page. */
const SELF_HOSTED = new Set(['Zimbra', 'Roundcube', 'cPanel', 'WordPress']);

/** Minimum weight of a name that stands alone. */
const WHOLE_PART = 0.8;

/** Shorter words resemble each other by chance. */
const MIN_DISGUISED_CHARACTERS = 6;

const MAX_WORDS = 400;
const MAX_WORDS_IN_NAME = 4;

const cache = new WeakMap<BrandTable, BrandNames>();

/** Returns the index of a table's names, built once per table. */
export function brandNamesOf(table: BrandTable): BrandNames {
  const known = cache.get(table);
  if (known) return known;
  const made = indexNames(table);
  cache.set(table, made);
  return made;
}

function indexNames(table: BrandTable): BrandNames {
  const index = new Map<string, NamedBrand>();
  const add = (name: string, brand: Brand, weight: number) => {
    if (name.length < 2) return;
    const before = index.get(name);
    if (!before || before.weight < weight) index.set(name, { brand, weight });
  };
  for (const brand of table.all) {
    if (SELF_HOSTED.has(brand.name)) continue;
    const spoken = brand.name.replace(/\([^()]*\)/g, '').trim();
    const displayed = squash(spoken);
    // Only curated names of several words cannot be ordinary words.
    const isWord = brand.aliases.some(({ name, weight }) => name === displayed && weight === 'second_cause');
    if (!isWord) add(displayed, brand, /[\s&]/.test(spoken) ? 1 : 0.4);
    for (const { name, weight } of brand.aliases) {
      add(name, brand, weight !== 'second_cause' ? 1 : name.length > 3 ? 0.4 : 0.3);
    }
  }
  const bySkeleton = new Map<string, Brand>();
  for (const [name, { brand, weight }] of index) {
    if (weight === 1 && name.length >= MIN_DISGUISED_CHARACTERS) bySkeleton.set(skeleton(name), brand);
  }
  const disguised = (word: string) =>
    word.length < MIN_DISGUISED_CHARACTERS || index.has(word) ? undefined : bySkeleton.get(skeleton(word));
  return {
    findDisguised(text) {
      for (const word of wordsOf(text.slice(0, 20 * MAX_WORDS)).slice(0, MAX_WORDS)) {
        const brand = disguised(word);
        if (brand) return { brand, word };
      }
      return null;
    },
    find(text) {
      const head = text.slice(0, 20 * MAX_WORDS);
      const words = wordsOf(head).slice(0, MAX_WORDS);
      const found = new Map<Brand, NamedBrand>();
      for (const part of head.split(/\s[-–—·•»]\s|[|\n:!,]/).slice(0, 20)) {
        const named = index.get(
          wordsOf(part)
            .filter((word) => !isGeneric(word))
            .join(''),
        );
        if (named) found.set(named.brand, { brand: named.brand, weight: Math.max(named.weight, WHOLE_PART) });
      }
      for (let start = 0; start < words.length; start++) {
        const mistaken = disguised(words[start] ?? '');
        if (mistaken) found.set(mistaken, { brand: mistaken, weight: 1 });
        let name = '';
        for (const word of words.slice(start, start + MAX_WORDS_IN_NAME)) {
          name += word;
          const named = index.get(name);
          if (named && (found.get(named.brand)?.weight ?? 0) < named.weight) found.set(named.brand, named);
        }
      }
      return [...found.values()];
    },
  };
}
