import { noteReading } from '#src/app/private-history.ts';
import type { LiveChecks } from '#src/checks/check/live-checks.ts';
import type { Activity } from '#src/checks/record/activity.ts';
import { TOP_BLOCKED } from '#src/checks/store/read/stats.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';
import { type ActivityOperations, createLiveStreams } from './activity-routes.ts';

/** Sources of the last 24 hours. */
export interface ActivitySources {
  /** Folder of the audit log, which names who reads private checks. */
  readonly dataDir: string;
  readonly log: Pick<ScanLog, 'activity'>;
  readonly hasDatabases: boolean;
  readonly live: LiveChecks;
  /** Requests and mails within the last 24 hours; null without the protection. */
  readonly passed: () => Pick<Activity['node'], 'gate' | 'mail'>;
  readonly stopping: AbortSignal;
}

/** Returns what the console shows of the last 24 hours, and of the checks as they are logged. */
export function consoleActivity({
  dataDir,
  log,
  hasDatabases,
  live,
  passed,
  stopping,
}: ActivitySources): ActivityOperations {
  const note = noteReading(dataDir);
  // Nodes may write the private log of a database and not read it.
  const readable = VISIBILITIES.filter((one) => one === 'public' || !hasDatabases);
  return {
    async read(wanted, by) {
      const logs = readable.filter((one) => wanted.includes(one));
      if (logs.includes('private')) note(by);
      const found = await Promise.all(logs.map((one) => log.activity(one)));
      const counted = found.filter((one) => one !== null);
      const sites = new Map<string, number>();
      for (const { blocked } of counted) {
        for (const [site, checks] of blocked) sites.set(site, (sites.get(site) ?? 0) + checks);
      }
      const top = [...sites].map(([name, checks]) => ({ name, checks })).toSorted((a, b) => b.checks - a.checks);
      return {
        logs,
        hours: summed(counted.map(({ hours }) => hours)),
        blocked_sites: top.slice(0, TOP_BLOCKED),
        blocked_counted: top.reduce((sum, { checks }) => sum + checks, 0),
        node: { since: new Date(live.sinceMs()).toISOString(), sources: live.sources(logs), ...passed() },
      };
    },
    watched(wanted, by) {
      const logs = readable.filter((one) => wanted.includes(one));
      if (logs.includes('private')) note(by);
      return logs;
    },
    live: createLiveStreams(live.watch, stopping),
  };
}

/** Adds up the hours of several logs, which begin at the same time. */
function summed([first = [], ...others]: readonly Activity['hours'][]): Activity['hours'] {
  return others.reduce(
    (sums, hours) =>
      sums.map(({ start, allow, warn, block }, at) => ({
        start,
        allow: allow + (hours[at]?.allow ?? 0),
        warn: warn + (hours[at]?.warn ?? 0),
        block: block + (hours[at]?.block ?? 0),
      })),
    first,
  );
}
