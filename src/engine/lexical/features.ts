import { FNV_BASIS, fnvStep, mixHash } from '#src/core/base/fnv.ts';
import type { BrandMatch } from '#src/core/knowledge/brands/brand-match.ts';
import { type HashTable, lookUp } from './hash-table.ts';
import { countHost, type FeatureTables, HOST_COLUMNS } from './host-features.ts';
import { STACKED_COLUMNS } from './ngram-model.ts';
import { describePath, PATH_COLUMNS } from './path-features.ts';
import { slotsOf } from './slots.ts';
import { describeText, SHAPE_COLUMNS } from './text-shape.ts';
import type { UrlParts } from './url-parts.ts';

/** Segmentation of a name into known words. */
export const SEGMENT_COLUMNS = ['covered_share', 'known_words', 'longest_known_word', 'unknown_letters'] as const;

const SEGMENT_SLOT = slotsOf(SEGMENT_COLUMNS);

const MAX_TEXT = 40;
const MIN_WORD = 3;
const MAX_WORD = 14;

const covered = new Uint8Array(MAX_TEXT + 1);
const wordCount = new Uint8Array(MAX_TEXT + 1);
const longest = new Uint8Array(MAX_TEXT + 1);

/**
 * Segments the letters of `text` so that known words cover as many as possible, with few words, and writes {@link
 * SEGMENT_COLUMNS} into `out` from `at` on. Reads 40 characters.
 */
export function segment(text: string, words: HashTable, out: Float32Array, at: number): void {
  const length = Math.min(text.length, MAX_TEXT);
  let letters = 0;
  covered.fill(0);
  wordCount.fill(0);
  longest.fill(0);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i) | 32;
    offer(i + 1, covered[i] ?? 0, wordCount[i] ?? 0, longest[i] ?? 0);
    if (code < 97 || code > 122) continue;
    letters++;
    // Updated letter by letter to the value of `hashText`.
    let hash = FNV_BASIS;
    const end = Math.min(length, i + MAX_WORD);
    for (let j = i; j < end; j++) {
      const letter = text.charCodeAt(j) | 32;
      if (letter < 97 || letter > 122) break;
      hash = fnvStep(hash, letter);
      const size = j - i + 1;
      if (size < MIN_WORD || lookUp(words, mixHash(hash)) === 0) continue;
      offer(j + 1, (covered[i] ?? 0) + size, (wordCount[i] ?? 0) + 1, Math.max(longest[i] ?? 0, size));
    }
  }
  const best = covered[length] ?? 0;
  out[at + SEGMENT_SLOT.covered_share] = letters === 0 ? 0 : best / letters;
  out[at + SEGMENT_SLOT.known_words] = wordCount[length] ?? 0;
  out[at + SEGMENT_SLOT.longest_known_word] = longest[length] ?? 0;
  out[at + SEGMENT_SLOT.unknown_letters] = letters - best;
}

function offer(end: number, cover: number, count: number, length: number): void {
  const held = covered[end] ?? 0;
  const better = cover > held || (cover === held && held > 0 && count < (wordCount[end] ?? 0));
  if (!better) return;
  covered[end] = cover;
  wordCount[end] = count;
  longest[end] = length;
}

/** Brands named in a URL that is not theirs. */
const BRAND_COLUMNS = [
  'brand_in_site',
  'brand_in_subdomain',
  'brand_in_path',
  'brand_likeness',
  'brand_weight',
  'brand_matches',
] as const;

const BRAND_SLOT = slotsOf(BRAND_COLUMNS);

const EXTENT = { inside: 1, edge: 2, lure: 3, token: 4, label: 5 } as const;
const LIKENESS = { exact: 1, typo: 2, look_alike: 3, homoglyph: 4 } as const;
const WEIGHT = { second_cause: 1, apart: 2, anywhere: 3 } as const;

/** Writes {@link BRAND_COLUMNS} into `out` from `at` on: the strongest match of each, 0 if there is none. */
function describeBrands(matches: readonly BrandMatch[], out: Float32Array, at: number): void {
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
  out[at + BRAND_SLOT.brand_in_site] = inSite;
  out[at + BRAND_SLOT.brand_in_subdomain] = inSubdomain;
  out[at + BRAND_SLOT.brand_in_path] = inPath;
  out[at + BRAND_SLOT.brand_likeness] = likeness;
  out[at + BRAND_SLOT.brand_weight] = weight;
  out[at + BRAND_SLOT.brand_matches] = matches.length;
}

/** Maps misspellings to values between 1 and 2, by their certainty. */
function likenessOf({ likeness, confidence }: BrandMatch): number {
  return LIKENESS[likeness] + (likeness === 'typo' ? confidence * 0.9 : 0);
}

/** Blocks of columns in the order of a row, with the prefix of their names. */
const BLOCKS = {
  host: { prefix: '', names: HOST_COLUMNS },
  brands: { prefix: '', names: BRAND_COLUMNS },
  labelShape: { prefix: 'label_', names: SHAPE_COLUMNS },
  labelWords: { prefix: 'label_', names: SEGMENT_COLUMNS },
  subdomainShape: { prefix: 'subdomain_', names: SHAPE_COLUMNS },
  subdomainWords: { prefix: 'subdomain_', names: SEGMENT_COLUMNS },
  path: { prefix: 'path_', names: PATH_COLUMNS },
  pathShape: { prefix: 'path_', names: SHAPE_COLUMNS },
  lastShape: { prefix: 'last_segment_', names: SHAPE_COLUMNS },
  lastWords: { prefix: 'last_segment_', names: SEGMENT_COLUMNS },
} as const;

/** Engineered features of a URL, in the order of a row. */
export const FEATURE_COLUMNS: readonly string[] = Object.values(BLOCKS).flatMap(({ prefix, names }) =>
  names.map((name) => `${prefix}${name}`),
);

/** Columns of a row of the trees: the engineered features, then the outputs of the n-gram models. */
export const COLUMNS: readonly string[] = [...FEATURE_COLUMNS, ...STACKED_COLUMNS];

/** Index of the first stacked column. */
export const STACKED_START = FEATURE_COLUMNS.length;

const START = startsOfBlocks();

/** Writes {@link FEATURE_COLUMNS}. Pure: equal parts and tables give equal numbers. */
export function extractFeatures(parts: UrlParts, tables: FeatureTables, out: Float32Array): void {
  const { label, subdomain, path, brands } = parts;
  const { nameGrams, words } = tables;
  const last = path.slice(path.lastIndexOf('/') + 1);
  countHost(parts, tables, out, START.host);
  describeBrands(brands, out, START.brands);
  describeText(label, nameGrams, out, START.labelShape);
  segment(label, words, out, START.labelWords);
  describeText(subdomain, nameGrams, out, START.subdomainShape);
  segment(subdomain, words, out, START.subdomainWords);
  describePath(parts, out, START.path);
  describeText(path, nameGrams, out, START.pathShape);
  describeText(last, nameGrams, out, START.lastShape);
  segment(last, words, out, START.lastWords);
}

function startsOfBlocks(): Readonly<Record<keyof typeof BLOCKS, number>> {
  let at = 0;
  const starts = Object.entries(BLOCKS).map(([block, { names }]) => {
    const start = at;
    at += names.length;
    return [block, start] as const;
  });
  return Object.fromEntries(starts) as Record<keyof typeof BLOCKS, number>;
}
