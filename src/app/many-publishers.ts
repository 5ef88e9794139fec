import { openKnowledge } from '#src/admin/active/models.ts';
import { openListGuard } from '#src/admin/lists/open-list-guard.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

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
