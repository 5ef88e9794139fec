import { systemClock } from '#src/core/base/clock.ts';
import { type Lazy, openLazily } from '#src/core/base/lazily.ts';
import { createFirstSeen } from '#src/core/base/text/condition.ts';
import type { Readiness } from '#src/service/server/health-routes.ts';
import type { OpenedService } from './opened-service.ts';
import type { Provided } from './parts.ts';
import { readinessOf } from './readiness.ts';

/** Readiness and metrics of a service. */
export interface Watching extends AsyncDisposable {
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Lazy<Provided<'openMetrics'>>;
}

/** Opens readiness, and metrics when they are first read: at once with `admin_listen`, otherwise by a key's first scrape. */
export async function openWatching(service: OpenedService): Promise<Watching> {
  const { live, openedLog, notifier, checking, parts, rotations, stop, tools } = service;
  const { engine, background, dataFiles, sharedLimits } = checking;
  const firstSeen = createFirstSeen(systemClock.now);
  const readiness = () =>
    readinessOf({
      ...{ config: live.running, log: openedLog.log, leaving: stop.leaving.signal },
      ...{ limiter: sharedLimits, engine, background, notifier, firstSeen, faults: dataFiles.faults },
      feeds: () => ({
        isOn: live.running.feeds || live.running.zone_listen.length > 0,
        notices: parts.get('feeds')?.feedNotices() ?? [],
      }),
      gateNotices: () => [...tools.reloadNotices(), ...rotations.notices(), ...parts.notices()],
    });
  const metrics = openLazily(async () => {
    const { openEngineMetrics } = await import('./admin.ts');
    const opened = await openEngineMetrics({
      ...{ logs: openedLog.local, databases: openedLog.databases, syslog: tools.syslog },
      ...{ notifier, engine, background, limiter: sharedLimits, parts },
      isReady: async () => (await readiness()).problem === null,
    });
    checking.measure(opened);
    return opened;
  });
  if (live.running.admin_listen) await metrics.get();
  return { readiness, metrics, [Symbol.asyncDispose]: metrics[Symbol.asyncDispose] };
}
