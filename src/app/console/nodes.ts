import { checkDatabaseAuthorities } from '#src/parts/fleet/database-authorities.ts';
import type { NodeOperations } from '#src/service/server/admin/node-route.ts';
import type { ConsoleService } from './console-service.ts';

/** Returns what the console shows of the fleet. */
export function consoleNodes({ running }: Pick<ConsoleService, 'running'>): NodeOperations {
  return {
    async list() {
      const config = running();
      if (config.log_database.length === 0) return [];
      await checkDatabaseAuthorities(config);
      const { readNodesOf } = await import('#src/parts/fleet/postgres/nodes/read-nodes.ts');
      return await readNodesOf(config.log_database);
    },
  };
}
