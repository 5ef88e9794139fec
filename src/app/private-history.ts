import { appendAudit } from '#src/admin/audit/audit-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { type Actor, describeActor } from '#src/core/base/actor.ts';
import { type Clock, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import type { PrivateReading } from '#src/service/server/history/private-history-route.ts';

/** Returns a function that names a reader of private checks in the audit log, each key and user once per hour. */
export function noteReading(dataDir: string, clock: Pick<Clock, 'monotonicMs'> = systemClock): (by: Actor) => void {
  const recordedMs = new Map<string, number>();
  return (by) => {
    const reader = describeActor(by);
    const nowMs = clock.monotonicMs();
    if (nowMs - (recordedMs.get(reader) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
    appendAudit(dataDir, by, { action: 'history.read', subject: 'private' });
    recordedMs.set(reader, nowMs);
  };
}

/** Returns a reader of private checks, which names who reads in the audit log. */
export function openPrivateHistory(
  dataDir: string,
  { page, messages }: Pick<ScanLog, 'page' | 'messages'>,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): PrivateReading {
  const note = noteReading(dataDir, clock);
  return {
    async page(query, by) {
      note(by);
      return await page(query, 'private');
    },
    async messages(query, by) {
      note(by);
      return await messages.page(query, 'private');
    },
  };
}
