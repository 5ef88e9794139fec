import { X509Certificate } from 'node:crypto';
import { readKeyFile } from '#src/admin/keys/api-key.ts';
import { better, broken, type Examination, type Finding, well } from '#src/app/doctor/finding.ts';
import { openModels } from '#src/app/scoring/classifier.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { OperationError, unlessUnusable } from '#src/core/base/errors/operation-error.ts';
import { readTlsPair } from '#src/network/certificate/tls-pair.ts';
import { readServiceAuthorities } from '#src/network/egress/egress.ts';
import {
  backupFolderOf,
  backupFolderProblem,
  scheduledBackupsIn,
} from '#src/parts/backup/archive/scheduled-backups.ts';
import { alertMessage, alertsIn } from '#src/parts/monitoring/alerts/alert.ts';
import { findSendmail } from '#src/parts/monitoring/notifications/mail.ts';
import { receiverProblem } from '#src/parts/monitoring/notifications/webhook.ts';

/** The receivers of notifications; none is sent. */
export const examineNotifications: Examination = async (config) => {
  const { webhook_url: url, mail_to: to } = config;
  if (url === null && to.length === 0) return [well('notifications', 'No receiver is configured.')];
  return [...(url === null ? [] : [await examineReceiver(url, config)]), ...(to.length === 0 ? [] : [examineMail()])];
};

async function examineReceiver(url: string, config: Parameters<typeof readServiceAuthorities>[0]): Promise<Finding> {
  try {
    const problem = await receiverProblem(url, await readServiceAuthorities(config));
    if (problem === null) return well('notifications', 'The receiver of the webhook answers.');
    const advice = 'Correct webhook_url; egress_ca names the certificate of an authority of your own.';
    return broken('notifications', `Webhook: ${problem}.`, advice);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return broken('notifications', error.message, 'Correct the file that egress_ca names.');
  }
}

function examineMail(): Finding {
  const path = findSendmail();
  return path === null
    ? broken('notifications', 'This host has no sendmail.', 'Install a mail server, or remove mail_to.')
    : well('notifications', `Mails are passed to ${path}.`);
}

/**
 * Reports conditions that an operator must act on before something fails, except those of lists, which have their own
 * examination.
 */
export const examineAlerts: Examination = async (config) => {
  // Files that cannot be read are reported by another examination.
  const [pair, keys, model] = await Promise.all([
    unlessUnusable(() => readTlsPair(config)),
    unlessUnusable(() => readKeyFile(config.data_dir)),
    unlessUnusable(() => openModels(config.data_dir)),
  ]);
  const folder = backupFolderOf(config);
  const newestMs = scheduledBackupsIn(folder)[0]?.madeMs ?? null;
  const nowMs = systemClock.now();
  const alerts = alertsIn({
    nowMs,
    backup: config.backup_at === null ? null : { newestMs, problem: backupFolderProblem(folder) },
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
