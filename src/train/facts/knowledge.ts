import { POPULARITY_FILE } from '../data/popularity.ts';
import { deriveConfusables } from './confusables.ts';
import { derivePopularSites } from './popular-sites.ts';

/** Where the facts and popularity lists are read, and where the derived tables are written. */
export interface DeriveOptions {
  /** The data folder, with `facts/` and `popularity/` in it. */
  readonly dataDir: string;
  /** Must exist; what is written there is reviewed before it replaces the files of the same names in `src`. */
  readonly outDir: string;
}

/**
 * Writes the derived tables, `src/knowledge/popular-sites.txt` and `src/url/confusables.json`. The same data give the same
 * bytes. Gives the names of the files written. Throws where a list is missing or not in its known form.
 */
export async function deriveKnowledge({ dataDir, outDir }: DeriveOptions): Promise<readonly string[]> {
  const ranked = (await Bun.file(`${dataDir}/${POPULARITY_FILE}`).text()).trim().split('\n');
  const confusables = await Bun.file(`${dataDir}/facts/unicode_confusables_17.0.0.txt.gz`).bytes();
  const files = {
    'confusables.json': deriveConfusables(confusables),
    'popular-sites.txt': derivePopularSites(ranked),
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(`${outDir}/${name}`, text);
  return Object.keys(files);
}
