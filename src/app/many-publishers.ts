import { openKnowledge } from '#src/admin/active/models.ts';
import { openListGuard } from '#src/admin/lists/stored-lists.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

/**
 * Opens what tells whether a host is more than the publisher of one URL on it: an address, a public suffix, a platform or its own
 * part of one that strangers share, a popular site, a domain of the operator. None of these is blocked for one URL.
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
