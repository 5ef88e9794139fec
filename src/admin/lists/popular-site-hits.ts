import type { Knowledge } from '#src/core/knowledge/index.ts';
import type { KeptVersion } from '#src/network/lists/stored/list-state.ts';
import { readVersion } from '#src/network/lists/stored/version-file.ts';
import { hostOf } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/** An entry that covers a part of a well-known site, and nothing of other people's. */
export interface AtWellKnown {
  readonly list: string;
  readonly entry: string;
  readonly line: number;
  readonly site: string;
}

/** Such entries of some lists: the first, and how many. */
export interface AllAtWellKnown {
  readonly first: readonly AtWellKnown[];
  readonly count: number;
}

/**
 * The applied entries that lie at one of `sites`, which are mistakes more often than others. What strangers publish there is
 * left out.
 */
export async function atWellKnownSites(
  dataDir: string,
  versions: readonly KeptVersion[],
  sites: readonly string[],
  { popularityOf }: Pick<Knowledge, 'popularityOf'>,
  most: number,
): Promise<AllAtWellKnown> {
  const known = new Set(sites);
  const first: AtWellKnown[] = [];
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
