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
import { broken, type Examination, type Finding } from './finding.ts';

/** All examinations, in the order of the report, by what a failed one is called. */
const EXAMINATIONS: Readonly<Record<string, Examination>> = {
  service: examineService,
  data: examineData,
  backup_key: examineBackupKey,
  models: examineModels,
  clock: examineClock,
  lists: examineLists,
  keys: examineKeys,
  alerts: examineAlerts,
  packs: examinePacks,
  feedback: examineFeedback,
  resolver: examineResolver,
  egress: examineEgress,
  proxies: examineProxies,
  notifications: examineNotifications,
  databases: examineDatabases,
  limiter: examineLimiter,
  gate: examineGate,
  milter: examineMilter,
  zone: examineZone,
};

/** Examines everything that a service with these settings needs. */
export async function examine(config: ConfigFor<'doctor'>): Promise<readonly Finding[]> {
  const findings = Object.entries(EXAMINATIONS).map(async ([name, examination]) => {
    try {
      return await examination(config);
    } catch (error) {
      // The others are wanted all the more.
      const why = error instanceof Error ? error.message : String(error);
      return [
        broken(
          name,
          `This part cannot be examined: ${why}`,
          'See the other parts first, disk and permissions above all.',
        ),
      ];
    }
  });
  return (await Promise.all(findings)).flat();
}
