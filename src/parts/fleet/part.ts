import { definePart } from '#src/parts/define-part.ts';

const databases = () => import('./examine-databases.ts');

/** Several nodes as one service: logs in databases, clients counted in Redis, and what the nodes share. */
export const fleetPart = definePart({
  name: 'fleet',
  commands: {
    nodes: async () => (await import('./command/nodes.ts')).nodesCommand,
    database: async () => (await import('./command/database.ts')).databaseCommand,
    spool: async () => (await import('./command/spool.ts')).spoolCommand,
  },
  examine: {
    databases: async () => (await databases()).examineDatabases,
    limiter: async () => (await databases()).examineLimiter,
  },
});
