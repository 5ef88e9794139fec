import { type PopularityBucket, readPopularSites } from '#src/core/knowledge/hosts/popular-sites.ts';
import popularSites from '#src/core/knowledge/hosts/popular-sites.txt' with { type: 'text' };
import { chosenName, parseHost } from '#src/core/url/host.ts';

/** A popular or well-known site. */
export interface PopularSite {
  readonly site: string;
  /** Name without its suffix. */
  readonly label: string;
  /** Number of sites that are at least as popular: 1000, 10,000 or 100,000. */
  readonly rank: number;
}

const CLASSES: readonly PopularityBucket[] = [3, 4, 5];

/** Reads the popular sites that ship with the model, the most popular first. */
export async function readPopularity(): Promise<PopularSite[]> {
  const table = readPopularSites(popularSites);
  const seen = new Set<string>();
  return CLASSES.flatMap((popularity) =>
    table.upTo(popularity).flatMap((site) => {
      const host = parseHost(site);
      if (host === null || seen.has(site)) return [];
      seen.add(site);
      return { site, label: chosenName(host), rank: 10 ** popularity };
    }),
  );
}
