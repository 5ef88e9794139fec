import { withBrandsOfPacks } from '#src/admin/active/active-packs.ts';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { openKnowledge } from '#src/admin/active/models.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { createListGuard, type ListGuard } from '#src/network/lists/stored/guard.ts';
import { openPacks } from './classifier.ts';

/** Opens the guard that quarantines entries which would cover many sites or a configured brand. */
export async function openListGuard(dataDir: string): Promise<ListGuard> {
  const own = readConfiguredBrandsFile(dataDir);
  const knowledge = await openKnowledge();
  const packs = await openPacks(dataDir, Promise.resolve(knowledge));
  return createListGuard(
    knowledge,
    withBrandsOfPacks(own, packs).flatMap(({ domains }) => domains),
  );
}

/**
 * Returns a function that returns true for a host with more than one publisher: an address, a public suffix, a
 * platform, a popular site, a domain of the operator. Such a host is not blocked for one URL.
 */
export async function openManyPublishers(dataDir: string): Promise<(host: Host) => boolean> {
  const [knowledge, guard] = await Promise.all([openKnowledge(), openListGuard(dataDir)]);
  return (host) => {
    if (host.kind !== 'name' || knowledge.isSharedByPath(host)) return true;
    const frontPage = parseTarget(`http://${host.text}/`);
    if (isTargetProblem(frontPage) || knowledge.popularityOf(frontPage) !== null) return true;
    return guard({ kind: 'host', host: host.text }) !== null;
  };
}
