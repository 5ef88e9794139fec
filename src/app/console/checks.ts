import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { CheckOperations } from '#src/service/server/admin/check-routes.ts';
import { noteReading } from '../private-history.ts';

/**
 * Returns what the console reads of both logs. Nodes may not read the private log of a database.
 *
 * @param dataDir the folder of the audit log, which names who reads private checks
 */
export function consoleChecks(
  dataDir: string,
  log: Pick<ScanLog, 'page' | 'find'>,
  hasDatabases: boolean,
): CheckOperations {
  const note = noteReading(dataDir);
  return {
    async page(visibility, query, by) {
      if (visibility === 'private' && hasDatabases) return null;
      if (visibility === 'private') note(by);
      return await log.page(query, visibility);
    },
    async find(visibility, requestId, by) {
      if (visibility === 'private' && hasDatabases) return null;
      const entry = await log.find(visibility, requestId);
      if (entry !== null && visibility === 'private') note(by);
      return entry;
    },
  };
}
