import { HOST_KINDS } from '#src/knowledge/host-kinds.ts';
import { BRAND_FEATURES, describeBrands } from './brand-features.ts';
import type { FeatureTables } from './feature-tables.ts';
import { type HashTable, lookUp } from './hash-table.ts';
import { countLoginWords, describePath, PATH_FEATURES } from './path-features.ts';
import { SEGMENT_FEATURES, segment } from './segment.ts';
import { hashText } from './text-hash.ts';
import { describeText, SHAPE_FEATURES } from './text-shape.ts';
import type { UrlParts } from './url-parts.ts';

const HOST_FEATURES = [
  'suffix_prior',
  'suffix_count',
  'suffix_length',
  'suffix_labels',
  'hosted',
  'platform',
  'address',
  'odd_port',
  'credentials',
  'punycode',
  'subdomain_labels',
  'host_length',
  'host_login_words',
  'label_popular_elsewhere',
  'label_part_popular',
  'subdomain_part_popular',
  'path_part_popular',
  'suffix_like_part',
  'label_starts_with_digit',
  'label_ends_with_digit',
  'longest_label_part',
  'bare',
] as const;

const within = (place: string, names: readonly string[]) => names.map((name) => `${place}_${name}`);

/** The engineered features of a URL, in the order in which they are written. */
export const FEATURE_NAMES: readonly string[] = [
  ...HOST_FEATURES,
  ...BRAND_FEATURES,
  ...within('label', SHAPE_FEATURES),
  ...within('label', SEGMENT_FEATURES),
  ...within('subdomain', SHAPE_FEATURES),
  ...within('subdomain', SEGMENT_FEATURES),
  ...within('path', PATH_FEATURES),
  ...within('path', SHAPE_FEATURES),
  ...within('last_segment', SHAPE_FEATURES),
  ...within('last_segment', SEGMENT_FEATURES),
];

const MIN_POPULAR_PART = 4;

/** Writes the features named by {@link FEATURE_NAMES}. Pure: the same parts and tables give the same numbers. */
export function extractFeatures(parts: UrlParts, tables: FeatureTables, out: Float32Array): void {
  const { label, subdomain, suffix, path } = parts;
  const suffixHash = hashText(suffix);
  const prior = lookUp(tables.suffixPrior, suffixHash);
  const popular = parts.popularity !== null || parts.isBrandOwn ? NO_TABLE : tables.popularLabels;
  let at = 0;
  out[at++] = prior === 0 ? 0 : (prior - 128) / 20;
  out[at++] = lookUp(tables.suffixCount, suffixHash);
  out[at++] = suffix.length;
  out[at++] = countOf(suffix, 46);
  out[at++] = parts.isHosted ? 1 : 0;
  out[at++] = parts.platform === null ? 0 : HOST_KINDS.indexOf(parts.platform) + 1;
  out[at++] = parts.isAddress ? 1 : 0;
  out[at++] = parts.hasOddPort ? 1 : 0;
  out[at++] = parts.hasCredentials ? 1 : 0;
  out[at++] = parts.host.includes('xn--') ? 1 : 0;
  out[at++] = subdomain === '' ? 0 : countOf(subdomain, 46) + 1;
  out[at++] = parts.host.length;
  out[at++] = countLoginWords(parts.host);
  out[at++] = rankScore(lookUp(popular, hashText(label)));
  out[at++] = bestPart(label, popular);
  out[at++] = bestPart(subdomain, popular);
  out[at++] = bestPart(path, popular);
  out[at++] = suffixLikePart(subdomain) + suffixLikePart(label);
  out[at++] = startsWithDigit(label) ? 1 : 0;
  out[at++] = startsWithDigit(label.slice(-1)) ? 1 : 0;
  out[at++] = longestPart(label);
  out[at++] = path === '' && parts.query === '' ? 1 : 0;
  describeBrands(parts.brands, out, at);
  at += BRAND_FEATURES.length;
  describeText(label, tables.nameGrams, out, at);
  at += SHAPE_FEATURES.length;
  segment(label, tables.words, out, at);
  at += SEGMENT_FEATURES.length;
  describeText(subdomain, tables.nameGrams, out, at);
  at += SHAPE_FEATURES.length;
  segment(subdomain, tables.words, out, at);
  at += SEGMENT_FEATURES.length;
  describePath(parts, out, at);
  at += PATH_FEATURES.length;
  describeText(path, tables.nameGrams, out, at);
  at += SHAPE_FEATURES.length;
  const last = path.slice(path.lastIndexOf('/') + 1);
  describeText(last, tables.nameGrams, out, at);
  at += SHAPE_FEATURES.length;
  segment(last, tables.words, out, at);
}

const NO_TABLE: HashTable = { keys: new Uint32Array(1), values: new Uint8Array(1) };

/** 0 for an unknown name, else the higher the more popular it is: 20 − log₂(rank). */
function rankScore(value: number): number {
  return value === 0 ? 0 : 21 - value;
}

/** The most popular name among the parts between hyphens, dots, slashes and other marks, the whole text left out. */
function bestPart(text: string, popular: HashTable): number {
  let best = 0;
  let start = 0;
  const length = Math.min(text.length, 200);
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) | 32 : 0;
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57 && i < length)) continue;
    if (i - start >= MIN_POPULAR_PART && i - start < text.length) {
      const score = rankScore(lookUp(popular, hashText(text, start, i)));
      if (score > best) best = score;
    }
    start = i + 1;
  }
  return best;
}

/** Whether a part reads like a suffix (`paypal.com-login.example`): the oldest trick with subdomains. */
function suffixLikePart(text: string): number {
  return /(?:^|[.-])(?:com|net|org|gov|edu|info|co|ru|de|pl|fr|jp|br|it|es|uk|us|cn|eu)(?:$|[.-])/.test(text) ? 1 : 0;
}

function startsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function longestPart(text: string): number {
  let longest = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text.charCodeAt(i) !== 45) continue;
    longest = Math.max(longest, i - start);
    start = i + 1;
  }
  return longest;
}

function countOf(text: string, code: number): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === code) count++;
  return count;
}
