import { fnvHash } from '#src/core/base/fnv.ts';
import { COMMON_FILE } from '#src/core/knowledge/words/page-marks.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { fileNameOf, squash, wordsOf } from './words.ts';

/** Fingerprint by which a copy of a page is recognized: words and numbers from which the page cannot be restored. */
export interface PageFingerprint {
  readonly titleWords: readonly string[];
  /** Kinds of the fields of its forms, sorted. */
  readonly fieldKinds: readonly string[];
  readonly fieldNames: readonly string[];
  /** File names of pictures, styles and scripts. */
  readonly assetNames: readonly string[];
  /** MinHash sketch of the 8-letter shingles of its text, sorted. */
  readonly textSketch: readonly number[];
}

const RUN_CHARACTERS = 8;
/** Estimates a resemblance to within about 0.1 (Broder 1997, "On the resemblance of documents"). */
const SKETCH_SIZE = 128;
const MAX_NAMES = 60;
/** A text with fewer runs is a phrase of many pages. */
const MIN_RUNS = 60;
/** Returns the fingerprint of a page. */
export function fingerprintPage(document: PageDocument): PageFingerprint {
  const fields = document.forms.flatMap((form) => form.fields).filter((field) => field.type !== 'hidden');
  return {
    titleWords: distinct(wordsOf(document.title ?? '')),
    fieldKinds: fields
      .map((field) => field.kind)
      .sort()
      .slice(0, MAX_NAMES),
    fieldNames: distinct(fields.map((field) => field.name.toLowerCase()).filter((name) => name !== '')),
    assetNames: distinct(
      document.assets.map((asset) => telling(fileNameOf(asset.source))).filter((name) => name !== ''),
    ),
    textSketch: sketch(squash(document.visibleText)),
  };
}

/**
 * Returns the similarity of two pages in [0, 1]: the weighted mean over what both have; 0 if that is too little. A page
 * with enough content has similarity 1 with itself.
 */
export function likeness(left: PageFingerprint, right: PageFingerprint): number {
  const parts: readonly (readonly [weight: number, value: number | null])[] = [
    [0.4, sketchResemblance(left.textSketch, right.textSketch)],
    [0.25, overlap(left.assetNames, right.assetNames)],
    [0.2, overlap(left.titleWords, right.titleWords)],
    [0.15, overlap(left.fieldNames, right.fieldNames)],
  ];
  const known = parts.filter(([, value]) => value !== null);
  const weight = known.reduce((sum, [share]) => sum + share, 0);
  // Many pages share a title and field names.
  if (weight < 0.5) return 0;
  return known.reduce((sum, [share, value]) => sum + share * (value ?? 0), 0) / weight;
}

/** Returns what a page lacks for recognition, each as part of a sentence; empty if a copy of it would be recognized. */
export function missingTraits(print: PageFingerprint): readonly string[] {
  if (likeness(print, print) > 0) return [];
  const missing: string[] = [];
  if (sketchResemblance(print.textSketch, print.textSketch) === null) {
    missing.push(`a text of ${MIN_RUNS + RUN_CHARACTERS} letters and more`);
  }
  if (print.assetNames.length === 0) missing.push('pictures, styles or scripts with file names of their own');
  if (print.titleWords.length === 0) missing.push('a title');
  if (print.fieldNames.length === 0) missing.push('fields with names');
  return missing;
}

/** Returns the Jaccard index of two lists of distinct items; null if both are empty. */
function overlap(left: readonly string[], right: readonly string[]): number | null {
  if (left.length === 0 && right.length === 0) return null;
  const other = new Set(right);
  const both = left.filter((item) => other.has(item)).length;
  return both / (left.length + right.length - both);
}

function sketchResemblance(left: readonly number[], right: readonly number[]): number | null {
  if (Math.min(left.length, right.length) < MIN_RUNS) return null;
  const smallest = distinct([...left, ...right].sort((a, b) => a - b)).slice(0, SKETCH_SIZE);
  const inLeft = new Set(left);
  const inRight = new Set(right);
  return smallest.filter((hash) => inLeft.has(hash) && inRight.has(hash)).length / smallest.length;
}

function sketch(text: string): number[] {
  const hashes = new Set<number>();
  for (let i = 0; i + RUN_CHARACTERS <= text.length; i++) {
    let hash = fnvHash(text, i, i + RUN_CHARACTERS);
    // A finalizer of its own: the stored fingerprints were made with it.
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hashes.add((hash ^ (hash >>> 13)) >>> 0);
  }
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
}

function telling(fileName: string): string {
  const name = fileName.toLowerCase();
  return name.length > 64 || !name.includes('.') || COMMON_FILE.test(name) ? '' : name;
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)].slice(0, Math.max(MAX_NAMES, SKETCH_SIZE * 2));
}
