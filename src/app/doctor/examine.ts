import type { ConfigFor } from '../config.ts';
import { ALL_PARTS } from '../parts.ts';
import { examineData } from './examine-data.ts';
import { examineKeys, examineLists, examineModels } from './examine-knowledge.ts';
import { examineEgress, examineProxies, examineResolver } from './examine-network.ts';
import { broken, type Examination, type Finding } from './finding.ts';

/** The order of the report. */
const ORDER: readonly string[] = [
  ...['service', 'data', 'backup_key', 'models', 'clock', 'lists', 'keys', 'alerts', 'packs', 'feedback'],
  ...['resolver', 'egress', 'browser', 'proxies', 'notifications', 'databases', 'limiter', 'gate', 'milter', 'zone'],
];

/** The examinations of the core by what a failed one is called. */
const EXAMINATIONS: Readonly<Record<string, Examination>> = {
  data: examineData,
  models: examineModels,
  lists: examineLists,
  keys: examineKeys,
  resolver: examineResolver,
  egress: examineEgress,
  proxies: examineProxies,
};

/** Examines everything that a service with these settings needs. */
export async function examine(config: ConfigFor<'doctor'>): Promise<readonly Finding[]> {
  const ofCore = Object.entries(EXAMINATIONS).map(([name, examination]) => [name, async () => examination] as const);
  const ofParts = ALL_PARTS.flatMap(({ examine: loaders }) => Object.entries(loaders));
  const all = [...ofCore, ...ofParts].toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const findings = all.map(async ([name, load]) => {
    try {
      return await (await load())(config);
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
