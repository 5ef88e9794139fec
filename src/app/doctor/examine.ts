import type { ConfigFor } from '../config.ts';
import { examineAlerts } from './examine-alerts.ts';
import { examineBackupKey } from './examine-backup-key.ts';
import { examineData } from './examine-data.ts';
import { examineDatabases, examineLimiter } from './examine-databases.ts';
import { examineFeedback } from './examine-feedback.ts';
import { examineGate } from './examine-gate.ts';
import { examineClock, examineKeys, examineLists, examineModels } from './examine-knowledge.ts';
import { examineMilter } from './examine-milter.ts';
import { examineEgress, examineProxies, examineResolver } from './examine-network.ts';
import { examineNotifications } from './examine-notifications.ts';
import { examinePacks } from './examine-packs.ts';
import { examineService } from './examine-service.ts';
import { examineZone } from './examine-zone.ts';
import type { Examination, Finding } from './finding.ts';

/** All examinations, in the order of the report. */
const EXAMINATIONS: readonly Examination[] = [
  examineService,
  examineData,
  examineBackupKey,
  examineModels,
  examineClock,
  examineLists,
  examineKeys,
  examineAlerts,
  examinePacks,
  examineFeedback,
  examineResolver,
  examineEgress,
  examineProxies,
  examineNotifications,
  examineDatabases,
  examineLimiter,
  examineGate,
  examineMilter,
  examineZone,
];

/** Examines everything that a service with these settings needs. */
export async function examine(config: ConfigFor<'doctor'>): Promise<readonly Finding[]> {
  return (await Promise.all(EXAMINATIONS.map((one) => one(config)))).flat();
}
