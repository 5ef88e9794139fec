import { join } from 'node:path';
import { chosenName, parseHost } from '#src/url/host.ts';

/** A site that many people visit. */
export interface PopularSite {
  readonly site: string;
  /** The name without its suffix. */
  readonly label: string;
  /** 1 is the most popular. */
  readonly rank: number;
}

/** The list of popular sites in the data folder, a name a line, the most popular first. */
export const POPULARITY_FILE = 'popularity/tranco_top_100k_2026-08-10.csv';

/** Reads the popularity list of the data folder; names under a platform's suffix are left out, they are its users'. */
export async function readPopularity(dataDir: string): Promise<PopularSite[]> {
  const ranked = await Bun.file(join(dataDir, POPULARITY_FILE)).text();
  const seen = new Set<string>();
  const sites: PopularSite[] = [];
  for (const [index, line] of ranked.split(/\r?\n/).entries()) {
    const host = parseHost(line.trim());
    if (host === null) continue;
    const { site, registrable } = host;
    if (registrable !== site || seen.has(site)) continue;
    seen.add(site);
    sites.push({ site, label: chosenName(host), rank: index + 1 });
  }
  return sites;
}
