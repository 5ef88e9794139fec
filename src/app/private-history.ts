import { appendAudit } from '#src/admin/audit/audit-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { type Clock, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import type { PrivateHistoryParts } from '#src/service/server/history/private-history-route.ts';

/** Reads private checks for holders of keys. The audit log names each key that does so, once per hour. */
export function openPrivateHistory(
  dataDir: string,
  log: Pick<ScanLog, 'page'>,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): NonNullable<PrivateHistoryParts['privateHistory']> {
  const recordedMs = new Map<string, number>();
  return async (query, keyName) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - (recordedMs.get(keyName) ?? Number.NEGATIVE_INFINITY) >= HOUR_MS) {
      appendAudit(dataDir, { key: keyName }, { action: 'history.read', subject: 'private' });
      recordedMs.set(keyName, nowMs);
    }
    return await log.page(query, 'private');
  };
}
