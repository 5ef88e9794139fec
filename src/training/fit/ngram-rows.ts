import type { FieldGroup } from '#src/engine/lexical/ngram-model.ts';
import { collectNgrams, createNgrams, startOf } from '#src/engine/lexical/ngrams.ts';
import type { UrlParts } from '#src/engine/lexical/url-parts.ts';

/** N-grams of many URLs in one array, collected once for all epochs. */
export interface NgramRows {
  readonly hashes: Uint32Array;
  /** Start of each row in `hashes`. */
  readonly starts: Uint32Array;
  /** End of each group of a row, relative to the row's start. */
  readonly ends: Uint16Array;
  /** Number of groups per row. */
  readonly groups: number;
}

/** Collects the n-grams of every URL in the given groups of fields. */
export function collectRows(urls: readonly UrlParts[], groups: readonly FieldGroup[]): NgramRows {
  const starts = new Uint32Array(urls.length + 1);
  const ends = new Uint16Array(urls.length * groups.length);
  let hashes = new Uint32Array(urls.length * 190 + 4096);
  const one = createNgrams();
  let size = 0;
  for (const [row, url] of urls.entries()) {
    collectNgrams(url, one);
    const start = size;
    starts[row] = start;
    if (size + one.hashes.length > hashes.length) {
      const grown = new Uint32Array(Math.ceil(hashes.length * 1.3) + one.hashes.length);
      grown.set(hashes.subarray(0, size));
      hashes = grown;
    }
    for (const [place, group] of groups.entries()) {
      for (const field of group) {
        const part = one.hashes.subarray(startOf(one, field), one.ends[field]);
        hashes.set(part, size);
        size += part.length;
      }
      ends[row * groups.length + place] = size - start;
    }
  }
  starts[urls.length] = size;
  return { hashes: hashes.subarray(0, size), starts, ends, groups: groups.length };
}
