import { openKnowledge, openPopularSites } from '#src/admin/active/models.ts';
import { hostOf } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { readVersion } from '#src/network/lists/stored/version-file.ts';

/** A list entry that covers part of a popular site, other than content of its users. */
export interface PopularSiteHit {
  readonly list: string;
  readonly entry: string;
  readonly line: number;
  readonly site: string;
}

/** The first of such entries, and their number. */
export interface PopularSiteHits {
  readonly first: readonly PopularSiteHit[];
  readonly count: number;
}

/**
 * Returns the active entries at popular sites, which are mistakes more often than others. Entries for content of third
 * parties are left out.
 */
export async function popularSiteHits(
  dataDir: string,
  versions: readonly StoredVersion[],
  most: number,
): Promise<PopularSiteHits> {
  const { popularityOf } = await openKnowledge();
  const known = new Set(await openPopularSites());
  const first: PopularSiteHit[] = [];
  let count = 0;
  for (const { name, file } of versions) {
    for await (const rows of readVersion(dataDir, file)) {
      for (const { entry, line, quarantine, isException } of rows) {
        const site = quarantine === null && !isException ? siteOf(entry) : null;
        if (site === null || !known.has(site) || !isOfTheSite(entry)) continue;
        count++;
        if (first.length < most) first.push({ list: name, entry, line, site });
      }
    }
  }
  return { first, count };

  function isOfTheSite(entry: string): boolean {
    const target = parseTarget(entry.startsWith('http://') ? entry : `http://${entry}/`);
    return !isTargetProblem(target) && popularityOf(target) !== null;
  }
}

const HOST = /^(?:http:\/\/)?([^/:]+)/;

function siteOf(entry: string): string | null {
  const host = HOST.exec(entry)?.[1];
  return host === undefined ? null : hostOf(host).site;
}
