import { openKnowledge } from '#src/admin/active/models.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { loadVersion } from '#src/network/lists/stored/load-version.ts';
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

/** The hundred thousand most visited sites have this rank class, or a lower one. */
const HUNDRED_THOUSAND = 5;

/**
 * Returns the active entries at popular sites, which are mistakes more often than others. Entries for content of third
 * parties are left out, and those that the active version of a list has already.
 *
 * @param active the active versions
 */
export async function popularSiteHits(
  dataDir: string,
  versions: readonly StoredVersion[],
  active: readonly StoredVersion[],
  most: number,
): Promise<PopularSiteHits> {
  if (versions.length === 0) return { first: [], count: 0 };
  const { popularityOf } = await openKnowledge();
  const first: PopularSiteHit[] = [];
  let count = 0;
  for (const { name, file } of versions) {
    const old = active.find((version) => version.name === name);
    const before = old ? await loadVersion(dataDir, old) : null;
    for await (const rows of readVersion(dataDir, file)) {
      for (const { entry, line, quarantine, isException } of rows) {
        if (quarantine !== null || isException || before?.factsOf(entry)?.isException === false) continue;
        const site = popularSiteOf(entry);
        if (site === null) continue;
        count++;
        if (first.length < most) first.push({ list: name, entry, line, site });
      }
    }
  }
  return { first, count };

  function popularSiteOf(entry: string): string | null {
    const target = parseTarget(entry.startsWith('http://') ? entry : `http://${entry}/`);
    if (isTargetProblem(target)) return null;
    const rank = popularityOf(target);
    return rank !== null && rank <= HUNDRED_THOUSAND ? target.host.site : null;
  }
}
