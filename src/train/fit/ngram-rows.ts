import { collectNgrams, createNgrams, NGRAM_FIELDS } from '#src/lexical/ngrams.ts';
import type { UrlParts } from '#src/lexical/url-parts.ts';

/** The n-grams of many URLs in one array, collected once and read in every epoch. */
export interface NgramRows {
  readonly hashes: Uint32Array;
  /** Where each row begins in `hashes`. */
  readonly starts: Uint32Array;
  /** Where each field of a row ends, counted from the row's start. */
  readonly ends: Uint16Array;
  readonly fields: number;
}

/** Collects the n-grams of every URL. */
export function collectRows(urls: readonly UrlParts[]): NgramRows {
  const fields = NGRAM_FIELDS.length;
  const starts = new Uint32Array(urls.length + 1);
  const ends = new Uint16Array(urls.length * fields);
  let hashes = new Uint32Array(urls.length * 190 + 4096);
  const one = createNgrams();
  let size = 0;
  for (const [row, url] of urls.entries()) {
    collectNgrams(url, one);
    const count = one.ends[fields - 1] ?? 0;
    if (size + count > hashes.length) {
      const grown = new Uint32Array(Math.ceil(hashes.length * 1.3) + count);
      grown.set(hashes.subarray(0, size));
      hashes = grown;
    }
    hashes.set(one.hashes.subarray(0, count), size);
    ends.set(one.ends, row * fields);
    starts[row] = size;
    size += count;
  }
  starts[urls.length] = size;
  return { hashes: hashes.subarray(0, size), starts, ends, fields };
}
