import { BRAND_COLUMNS, describeBrands } from './brand-features.ts';
import type { FeatureTables } from './feature-tables.ts';
import { countHost, HOST_COLUMNS } from './host-features.ts';
import { describePath, PATH_COLUMNS } from './path-features.ts';
import { SEGMENT_COLUMNS, segment } from './segment.ts';
import { describeText, SHAPE_COLUMNS } from './text-shape.ts';
import type { UrlParts } from './url-parts.ts';

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
