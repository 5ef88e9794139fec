import { join } from 'node:path';
import { chosenName, parseHost } from '#src/url/host.ts';

/** A site that many people visit. */
export interface PopularSite {
  readonly site: string;
  /** The name without its suffix. */
  readonly label: string;
  /** 1 is the most popular; sites of a list without order come after those of a list with one. */
  readonly rank: number;
}

/** Reads the popularity lists of the data folder; names under a platform's suffix are left out, they are its users'. */
export async function readPopularity(dataDir: string): Promise<PopularSite[]> {
  const folder = join(dataDir, 'popularity');
  const ranked = (await Bun.file(join(folder, 'tranco_top_100k_2026-08-10.csv')).text()).split(/\r?\n/);
  const unordered: unknown = await Bun.file(join(folder, 'misp_cloudflare-top100k.json')).json();
  const seen = new Set<string>();
  const sites: PopularSite[] = [];
  for (const [index, line] of [...ranked, ...listOf(unordered)].entries()) {
    const host = parseHost(line.trim());
    if (host === null) continue;
    const { site, registrable } = host;
    if (registrable !== site || seen.has(site)) continue;
    seen.add(site);
    sites.push({ site, label: chosenName(host), rank: Math.min(index + 1, 2 ** 17) });
  }
  return sites;
}

function listOf(json: unknown): string[] {
  const list = typeof json === 'object' && json !== null && 'list' in json ? json.list : [];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}
