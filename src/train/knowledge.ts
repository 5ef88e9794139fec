import brands from '#src/knowledge/brands.json' with { type: 'json' };
import { deriveBrandDirectory } from './brand-directory.ts';
import { derivePopularSites } from './popular-sites.ts';
import { siteLabel } from './site-label.ts';

/** Where the facts and popularity lists are read, and where the derived tables are written. */
export interface DeriveOptions {
  /** The data folder, with `facts/` and `popularity/` in it. */
  readonly dataDir: string;
  /** Becomes the new content of `src/knowledge`'s derived files; must exist. */
  readonly outDir: string;
}

/**
 * Writes the derived tables: `popular-sites.txt` and `brand-directory.json`. The same data give the same bytes. Gives
 * the names of the files written. Throws where a list is missing or not in its known form.
 */
export async function deriveKnowledge({ dataDir, outDir }: DeriveOptions): Promise<readonly string[]> {
  const tranco = (await Bun.file(`${dataDir}/popularity/tranco_top_100k_2026-08-10.csv`).text()).trim().split('\n');
  const radar = await readList(`${dataDir}/popularity/misp_cloudflare-top100k.json`);
  const banks = await readList(`${dataDir}/facts/misp_bank-website.json`);
  const services: unknown = await Bun.file(`${dataDir}/facts/twofactorauth_brands.json`).json();
  const files = {
    'popular-sites.txt': derivePopularSites({ ranked: tranco, unranked: radar }),
    'brand-directory.json': deriveBrandDirectory({
      services,
      banks,
      popular: tranco.map(siteLabel),
      curated: curatedNames(),
    }),
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(`${outDir}/${name}`, text);
  return Object.keys(files);
}

function curatedNames(): Set<string> {
  return new Set(
    brands.entries.flatMap((brand) => `${brand.domains} ${brand.names ?? ''} ${brand.words ?? ''}`.split(' ')),
  );
}

async function readList(path: string): Promise<string[]> {
  const file: unknown = await Bun.file(path).json();
  const list = typeof file === 'object' && file !== null && 'list' in file ? file.list : null;
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) {
    throw new Error(`${path} does not hold a "list" of names`);
  }
  return list;
}
