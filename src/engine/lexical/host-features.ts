import type { HostKind } from '#src/core/knowledge/hosts/host-kinds.ts';
import { type HashTable, hashText, lookUp } from './hash-table.ts';
import { countLoginWords } from './path-features.ts';
import { slotsOf } from './slots.ts';
import type { NameGrams } from './text-shape.ts';
import type { UrlParts } from './url-parts.ts';

/** Features of a host beyond its character statistics, and of names in unexpected places. */
export const HOST_COLUMNS = [
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

const SLOT = slotsOf(HOST_COLUMNS);

/** Number of each kind of platform in the model, 0 for none. The trees were grown on these numbers: never reuse one. */
const PLATFORM_CODES: Readonly<Record<HostKind, number>> = {
  builder: 1,
  free_hosting: 2,
  app: 3,
  code: 4,
  storage: 5,
  tunnel: 6,
  document: 7,
  form: 8,
  blog: 9,
  shop: 10,
  mail_tool: 11,
  reseller_suffix: 12,
  translator: 13,
  dynamic_dns: 14,
  shortener: 15,
  link_in_bio: 16,
  ipfs_gateway: 17,
  redirector: 18,
  cdn: 19,
};

const MIN_POPULAR_PART = 4;

/** Writes {@link HOST_COLUMNS} into `out` from `at` on. */
export function countHost(parts: UrlParts, tables: FeatureTables, out: Float32Array, at: number): void {
  const { host, label, subdomain, suffix, path, platform } = parts;
  const suffixHash = hashText(suffix);
  const prior = lookUp(tables.suffixPrior, suffixHash);
  const popular = parts.popularity !== null || parts.isBrandOwn ? NO_TABLE : tables.popularLabels;
  out[at + SLOT.suffix_prior] = prior === 0 ? 0 : (prior - 128) / 20;
  out[at + SLOT.suffix_count] = lookUp(tables.suffixCount, suffixHash);
  out[at + SLOT.suffix_length] = suffix.length;
  out[at + SLOT.suffix_labels] = countOf(suffix, 46);
  out[at + SLOT.hosted] = parts.isHosted ? 1 : 0;
  out[at + SLOT.platform] = platform === null ? 0 : PLATFORM_CODES[platform];
  out[at + SLOT.address] = parts.isAddress ? 1 : 0;
  out[at + SLOT.odd_port] = parts.hasOddPort ? 1 : 0;
  out[at + SLOT.credentials] = parts.hasCredentials ? 1 : 0;
  out[at + SLOT.punycode] = host.includes('xn--') ? 1 : 0;
  out[at + SLOT.subdomain_labels] = subdomain === '' ? 0 : countOf(subdomain, 46) + 1;
  out[at + SLOT.host_length] = host.length;
  out[at + SLOT.host_login_words] = countLoginWords(host);
  out[at + SLOT.label_popular_elsewhere] = rankScore(lookUp(popular, hashText(label)));
  out[at + SLOT.label_part_popular] = bestPart(label, popular);
  out[at + SLOT.subdomain_part_popular] = bestPart(subdomain, popular);
  out[at + SLOT.path_part_popular] = bestPart(path, popular);
  out[at + SLOT.suffix_like_part] = suffixLikePart(subdomain) + suffixLikePart(label);
  out[at + SLOT.label_starts_with_digit] = startsWithDigit(label) ? 1 : 0;
  out[at + SLOT.label_ends_with_digit] = startsWithDigit(label.slice(-1)) ? 1 : 0;
  out[at + SLOT.longest_label_part] = longestPart(label);
  out[at + SLOT.bare] = path === '' && parts.query === '' ? 1 : 0;
}

const NO_TABLE: HashTable = { keys: new Uint32Array(1), values: new Uint8Array(1) };

/** Returns 20 − log₂(rank) of a known name; 0 for an unknown one. */
function rankScore(value: number): number {
  return value === 0 ? 0 : 21 - value;
}

/** Returns the score of the most popular name between hyphens, dots, slashes and other marks, except the whole text. */
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

/** Returns 1 if a part reads like a suffix (`paypal.com-login.example`), the oldest trick with subdomains; else 0. */
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

/** Lookup tables of features; `train` derives them, and the model file contains them. */
export interface FeatureTables {
  /** Excess of phishing among names under a suffix, in log-odds: (value − 128) / 20. */
  readonly suffixPrior: HashTable;
  /** Number of known sites under a suffix: value = 1 + 8 log₂(1 + n), at most 255. */
  readonly suffixCount: HashTable;
  /** Names of popular sites without their suffix: 1 + log₂(rank). */
  readonly popularLabels: HashTable;
  /** Words that many sites use: 1. */
  readonly words: HashTable;
  readonly nameGrams: NameGrams;
}
