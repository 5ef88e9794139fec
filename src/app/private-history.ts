import { appendAudit } from '#src/admin/audit/audit-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { describeActor } from '#src/core/base/actor.ts';
import { type Clock, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import type { PrivateHistoryParts } from '#src/service/server/history/private-history-route.ts';

/** Reads private checks for who may. The audit log names each key and user that does so, once per hour. */
export function openPrivateHistory(
  dataDir: string,
  log: Pick<ScanLog, 'page'>,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): NonNullable<PrivateHistoryParts['privateHistory']> {
  const recordedMs = new Map<string, number>();
  return async (query, by) => {
    const reader = describeActor(by);
    const nowMs = clock.monotonicMs();
    if (nowMs - (recordedMs.get(reader) ?? Number.NEGATIVE_INFINITY) >= HOUR_MS) {
      appendAudit(dataDir, by, { action: 'history.read', subject: 'private' });
      recordedMs.set(reader, nowMs);
    }
    return await log.page(query, 'private');
  };
}
