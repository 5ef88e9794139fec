import { MASK } from '#src/checks/record/redact/mask.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import type { Host } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { entryOfUrl } from '#src/network/lists/entry.ts';
import { type Suspect, suspectsAmong } from '#src/parts/export/suspects.ts';
import type { BlockedEntry } from './block-list.ts';

/** Entries that checks blocked. */
export interface BlockedByChecks {
  readonly entries: AsyncIterable<BlockedEntry>;
  /** Number of URLs that yielded no entry, because they are masked or the front page of a shared host. */
  skippedUrls(): number;
}

/**
 * Collects what checks blocked: a host with its subdomains if it has one publisher, or else the URL.
 *
 * @param hasManyPublishers true if a host has publishers other than the URL's
 */
export function blockedByChecks(
  checks: AsyncIterable<LogEntry>,
  hasManyPublishers: (host: Host) => boolean,
): BlockedByChecks {
  let skippedUrls = 0;
  return {
    entries: (async function* () {
      for await (const suspect of suspectsAmong(checks)) {
        if (suspect.decision !== 'block') continue;
        const entry = entryOf(suspect, hasManyPublishers);
        if (entry === null) skippedUrls += 1;
        else yield entry;
      }
    })(),
    skippedUrls: () => skippedUrls,
  };
}

function entryOf(
  { url, host, isFrontPage, timestamp, reason }: Suspect,
  hasManyPublishers: (host: Host) => boolean,
): BlockedEntry | null {
  if (host === null) return null;
  const said = {
    why: reason ?? 'Blocked by lurecheck',
    sinceMs: Date.parse(timestamp),
    untilMs: null,
    isExact: true,
    isInAllowed: false,
  };
  if (!hasManyPublishers(host)) return { entry: { kind: 'host', host: host.text }, ...said };
  const target = parseTarget(url);
  const isFindable = !isTargetProblem(target) && !`${target.path}?${target.query}`.includes(MASK);
  return isFindable && !isFrontPage ? { entry: entryOfUrl(target), ...said } : null;
}
