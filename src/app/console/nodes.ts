import type { NodeOperations } from '#src/service/server/admin/node-route.ts';
import { PROVIDED } from '../parts.ts';
import type { ConsoleService } from './console-service.ts';

/** Returns what the console shows of the fleet. */
export function consoleNodes({ running }: Pick<ConsoleService, 'running'>): NodeOperations {
  return {
    async list() {
      const config = running();
      if (config.log_database.length === 0) return [];
      await (await PROVIDED.checkDatabaseAuthorities())(config);
      return await (await PROVIDED.readNodesOf())(config.log_database);
    },
  };
}
