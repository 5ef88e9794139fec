import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import { slotsOf } from './slots.ts';

/** Brands named in a URL that is not theirs. */
export const BRAND_COLUMNS = [
  'brand_in_site',
  'brand_in_subdomain',
  'brand_in_path',
  'brand_likeness',
  'brand_weight',
  'brand_matches',
] as const;

const SLOT = slotsOf(BRAND_COLUMNS);

const EXTENT = { inside: 1, edge: 2, lure: 3, token: 4, label: 5 } as const;
const LIKENESS = { exact: 1, typo: 2, look_alike: 3, homoglyph: 4 } as const;
const WEIGHT = { second_cause: 1, apart: 2, anywhere: 3 } as const;

/** Writes {@link BRAND_COLUMNS} into `out` from `at` on: the strongest match of each, 0 if there is none. */
export function describeBrands(matches: readonly BrandMatch[], out: Float32Array, at: number): void {
  let inSite = 0;
  let inSubdomain = 0;
  let inPath = 0;
  let likeness = 0;
  let weight = 0;
  for (const match of matches) {
    const extent = EXTENT[match.extent];
    if (match.part === 'site') inSite = Math.max(inSite, extent);
    else if (match.part === 'subdomain') inSubdomain = Math.max(inSubdomain, extent);
    else inPath = Math.max(inPath, extent);
    if (match.part !== 'path') likeness = Math.max(likeness, likenessOf(match));
    weight = Math.max(weight, WEIGHT[match.weight]);
  }
  out[at + SLOT.brand_in_site] = inSite;
  out[at + SLOT.brand_in_subdomain] = inSubdomain;
  out[at + SLOT.brand_in_path] = inPath;
  out[at + SLOT.brand_likeness] = likeness;
  out[at + SLOT.brand_weight] = weight;
  out[at + SLOT.brand_matches] = matches.length;
}

/** Maps misspellings to values between 1 and 2, by their certainty. */
function likenessOf({ likeness, confidence }: BrandMatch): number {
  return LIKENESS[likeness] + (likeness === 'typo' ? confidence * 0.9 : 0);
}
