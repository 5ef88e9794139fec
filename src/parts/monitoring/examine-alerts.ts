import { X509Certificate } from 'node:crypto';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { better, type Examination, well } from '#src/app/doctor/finding.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readTlsPair } from '#src/network/certificate/tls-pair.ts';
import { backupFolderOf, scheduledBackupsIn } from '#src/parts/backup/archive/scheduled-backups.ts';
import { alertMessage, alertsIn } from '#src/parts/monitoring/alerts/alert.ts';

/**
 * Reports conditions that an operator must act on before something fails, except those of lists, which have their own
 * examination.
 */
export const examineAlerts: Examination = async (config) => {
  const [pair, keys, model] = await Promise.all([
    usable(() => readTlsPair(config)),
    usable(() => readKeyFile(config.data_dir)),
    usable(() => openModels(config.data_dir)),
  ]);
  const newestMs = scheduledBackupsIn(backupFolderOf(config))[0]?.madeMs ?? null;
  const nowMs = systemClock.now();
  const alerts = alertsIn({
    nowMs,
    backup: config.backup_at === null ? null : { newestMs, problem: null },
    keys: keys ?? [],
    // Only the service knows.
    pulls: new Map(),
    certificateEndsMs: pair ? new X509Certificate(pair.cert).validToDate.getTime() : null,
    lists: [],
    modelDate: model?.fusion.date ?? new Date(nowMs).toISOString(),
  });
  if (alerts.length === 0) return [well('alerts', 'Nothing expires soon or is outdated.')];
  return alerts.map((alert) => better('alerts', alert.notice, alertMessage(alert)));
};

/** Returns null for files that cannot be read; another examination reports them. */
async function usable<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OperationError) return null;
    throw error;
  }
}
