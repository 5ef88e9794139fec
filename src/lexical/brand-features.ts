import type { BrandMatch } from '#src/knowledge/brand-match.ts';

/** What brands are named in a URL that is not theirs; written in this order. */
export const BRAND_FEATURES = [
  'brand_in_site',
  'brand_in_subdomain',
  'brand_in_path',
  'brand_likeness',
  'brand_is_word',
  'brand_is_minor',
  'brand_matches',
] as const;

const EXTENT = { inside: 1, lure: 2, token: 3, label: 4 } as const;
const LIKENESS = { exact: 1, typo: 2, look_alike: 3, homoglyph: 4 } as const;

/** Writes {@link BRAND_FEATURES} into `out` from `at` on. */
export function describeBrands(matches: readonly BrandMatch[], out: Float32Array, at: number): void {
  let inSite = 0;
  let inSubdomain = 0;
  let inPath = 0;
  let likeness = 0;
  let isWord = 0;
  let isMinor = 0;
  for (const match of matches) {
    const extent = EXTENT[match.extent];
    if (match.place === 'site') inSite = Math.max(inSite, extent);
    else if (match.place === 'subdomain') inSubdomain = Math.max(inSubdomain, extent);
    else inPath = Math.max(inPath, extent);
    if (match.place !== 'path') likeness = Math.max(likeness, LIKENESS[match.likeness]);
    // The strongest kind of match counts: a full name of a curated brand is 1, a word or a minor brand is 2.
    isWord = match.isWord && isWord !== 1 ? 2 : 1;
    isMinor = match.brand.minor && isMinor !== 1 ? 2 : 1;
  }
  out[at] = inSite;
  out[at + 1] = inSubdomain;
  out[at + 2] = inPath;
  out[at + 3] = likeness;
  out[at + 4] = isWord;
  out[at + 5] = isMinor;
  out[at + 6] = matches.length;
}
