import { buildHashTable, type HashTable, hashText } from '#src/engine/lexical/hash-table.ts';
import type { FeatureTables } from '#src/engine/lexical/host-features.ts';
import { createNameGrams, NAME_CLASSES, nameClass } from '#src/engine/lexical/text-shape.ts';
import type { UrlParts } from '#src/engine/lexical/url-parts.ts';
import type { PopularSite } from './popularity.ts';
import type { Prepared } from './prepare.ts';

/** Minimum number of sites that use a known word; with fewer, a row could be recognized by its own words. */
const WORD_SITES = 8;

/** Number of balanced rows that smooth a suffix's prior. */
const PRIOR_ROWS = 6;

/**
 * Feature tables: those without labels, and those of suffixes, which depend on labels, for all rows and without each
 * part.
 */
export interface TrainingTables {
  readonly shipped: FeatureTables;
  /** For the rows of part k, derived without them. */
  readonly heldOut: readonly FeatureTables[];
  /** Content of the table of `nameGrams`. */
  readonly nameGrams: Uint8Array;
}

/** Derives every lookup table of features. */
export function deriveTables(
  data: Prepared,
  weights: Float32Array,
  { popularity, names }: { readonly popularity: readonly PopularSite[]; readonly names: readonly UrlParts[] },
  parts: number,
): TrainingTables {
  const nameGrams = countNameGrams([...popularity.map(({ label }) => label), ...names.map(({ label }) => label)]);
  const shared = {
    popularLabels: buildHashTable(popularity.map(({ label, rank }) => [hashText(label), rankValue(rank)])),
    words: commonWords(data),
    nameGrams: createNameGrams(nameGrams),
  };
  const held = Array.from({ length: parts }, (_, part) => ({ ...shared, ...suffixTables(data, weights, part) }));
  return { shipped: { ...shared, ...suffixTables(data, weights, -1) }, heldOut: held, nameGrams };
}

function rankValue(rank: number): number {
  return 1 + Math.floor(Math.log2(rank));
}

/**
 * Returns trigram surprises of the names of popular and other honest sites, in eighths of a bit, smoothed by shorter
 * contexts.
 */
function countNameGrams(labels: readonly string[]): Uint8Array {
  const n = NAME_CLASSES;
  const three = new Float64Array(n * n * n);
  const two = new Float64Array(n * n);
  const one = new Float64Array(n);
  for (const label of labels) {
    let first = 0;
    let second = 0;
    for (let i = 0; i <= label.length; i++) {
      const third = i < label.length ? nameClass(label.charCodeAt(i)) : 0;
      three[(first * n + second) * n + third] = (three[(first * n + second) * n + third] ?? 0) + 1;
      two[second * n + third] = (two[second * n + third] ?? 0) + 1;
      one[third] = (one[third] ?? 0) + 1;
      first = second;
      second = third;
    }
  }
  const total = one.reduce((sum, count) => sum + count, 0);
  const table = new Uint8Array(n * n * n);
  for (let first = 0; first < n; first++) {
    for (let second = 0; second < n; second++) {
      const context = sumOf(three, (first * n + second) * n, n);
      const shorter = sumOf(two, second * n, n);
      for (let third = 0; third < n; third++) {
        const p1 = ((one[third] ?? 0) + 1) / (total + n);
        const p2 = ((two[second * n + third] ?? 0) + 20 * p1) / (shorter + 20);
        const p3 = ((three[(first * n + second) * n + third] ?? 0) + 20 * p2) / (context + 20);
        table[(first * n + second) * n + third] = Math.min(255, Math.round(-Math.log2(p3) * 8));
      }
    }
  }
  return table;
}

function sumOf(values: Float64Array, start: number, count: number): number {
  let sum = 0;
  for (let i = start; i < start + count; i++) sum += values[i] ?? 0;
  return sum;
}

/** Returns the words between separators that enough sites use, phishing or not. */
function commonWords({ rows, urls }: Prepared): HashTable {
  const lastSite = new Map<string, { site: string; sites: number }>();
  for (const [index, url] of urls.entries()) {
    const site = rows[index]?.site ?? '';
    const words = `${url.subdomain} ${url.label} ${url.path.slice(0, 200)}`.toLowerCase().match(/[a-z]{3,14}/g) ?? [];
    for (const word of new Set(words)) {
      const held = lastSite.get(word);
      if (!held) lastSite.set(word, { site, sites: 1 });
      else if (held.site !== site) {
        held.site = site;
        held.sites++;
      }
    }
  }
  const known = [...lastSite].filter(([, { sites }]) => sites >= WORD_SITES).map(([word]) => word);
  return buildHashTable(known.sort().map((word) => [hashText(word), 1]));
}

function suffixTables({ rows, urls, labels, held }: Prepared, weights: Float32Array, without: number) {
  const stats = new Map<string, { phishing: number; benign: number; rows: number }>();
  for (let row = 0; row < rows.length; row++) {
    if (held[row] === without) continue;
    const suffix = urls[row]?.suffix ?? '';
    const stat = stats.get(suffix) ?? { phishing: 0, benign: 0, rows: 0 };
    stats.set(suffix, stat);
    if (labels[row] === 1) stat.phishing += weights[row] ?? 0;
    else stat.benign += weights[row] ?? 0;
    stat.rows++;
  }
  const entries = [...stats].sort(([a], [b]) => (a < b ? -1 : 1));
  const tableOf = (code: (stat: { phishing: number; benign: number; rows: number }) => number) =>
    buildHashTable(
      entries.map(([suffix, stat]) => [hashText(suffix), Math.max(1, Math.min(255, Math.round(code(stat))))]),
    );
  const half = PRIOR_ROWS / 2;
  return {
    suffixPrior: tableOf(({ phishing, benign }) => 128 + 20 * Math.log((phishing + half) / (benign + half))),
    suffixCount: tableOf(({ rows: count }) => 1 + 8 * Math.log2(1 + count)),
  };
}
