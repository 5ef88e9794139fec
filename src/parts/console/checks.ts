import { noteReading } from '#src/app/private-history.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { notReadableError } from '#src/checks/store/write/log-errors.ts';
import type { Actor } from '#src/core/base/actor.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { CheckOperations } from './check-routes.ts';
import type { ConsoleService } from './console-place.ts';
import type { NodeOperations } from './status-routes.ts';

/**
 * Returns what the console reads of both logs. Nodes may not read the private log of a database.
 *
 * @param dataDir the folder of the audit log, which names who reads private checks
 */
export function consoleChecks(
  dataDir: string,
  log: Pick<ScanLog, 'page' | 'find' | 'messages'>,
  hasDatabases: boolean,
): CheckOperations {
  const note = noteReading(dataDir);
  const isClosed = (visibility: Visibility) => visibility === 'private' && hasDatabases;
  async function found<T>(visibility: Visibility, by: Actor, find: () => Promise<T | null>): Promise<T | null> {
    if (isClosed(visibility)) return null;
    const entry = await find();
    if (entry !== null && visibility === 'private') note(by);
    return entry;
  }
  return {
    async page(visibility, query, by) {
      if (isClosed(visibility)) return null;
      if (visibility === 'private') note(by);
      return await log.page(query, visibility);
    },
    async messagePage(visibility, query, by) {
      if (isClosed(visibility)) return null;
      if (visibility === 'private') note(by);
      return await log.messages.page(query, visibility);
    },
    find: (visibility, requestId, by) => found(visibility, by, () => log.find(visibility, requestId)),
    findMessage: (visibility, requestId, by) => found(visibility, by, () => log.messages.find(visibility, requestId)),
  };
}

/** Returns what the console shows of the fleet. */
export function consoleNodes({ running }: Pick<ConsoleService, 'running'>): NodeOperations {
  return {
    async list() {
      const config = running();
      if (config.log_database.length === 0) return [];
      const { checkDatabaseAuthorities } = await import('#src/parts/fleet/database-authorities.ts');
      await checkDatabaseAuthorities(config);
      const { readNodesOf } = await import('#src/parts/postgres/nodes/read-nodes.ts');
      try {
        return await readNodesOf(config.log_database);
      } catch (cause) {
        throw notReadableError('nodes', cause);
      }
    },
  };
}
