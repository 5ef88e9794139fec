import { fnvHash, mixHash } from '#src/core/base/fnv.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { partsOf, type UrlParts } from '#src/engine/lexical/url-parts.ts';
import { FITS } from '../fit/logistic.ts';
import type { Row } from './dataset.ts';

/** Rows with the input of the fits, by index. */
export interface Prepared {
  readonly rows: readonly Row[];
  readonly urls: readonly UrlParts[];
  /** 1 for phishing. */
  readonly labels: Uint8Array;
  /** Part of the row's site: the one fit that must not see it. */
  readonly held: Uint8Array;
}

/** Parses each row's URL as serving does; rows that are not URLs are dropped. */
export function prepare(rows: readonly Row[], knowledge: Knowledge): Prepared {
  const retained: Row[] = [];
  const urls: UrlParts[] = [];
  for (const row of rows) {
    const target = parseTarget(`http://${row.canon}`);
    if (isTargetProblem(target)) continue;
    retained.push(row);
    urls.push(partsOf(target, knowledge));
  }
  return {
    rows: retained,
    urls,
    labels: Uint8Array.from(retained, (row) => (row.phishing ? 1 : 0)),
    held: Uint8Array.from(retained, (row) => partOf(row.site)),
  };
}

/** Returns the part of a site. */
export function partOf(site: string): number {
  return mixHash(fnvHash(site)) % FITS;
}
