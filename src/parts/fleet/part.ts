import { definePart } from '#src/parts/define-part.ts';

const databases = () => import('./examine-databases.ts');
const sharedState = () => import('./shared-state.ts');
const rotations = () => import('./rotations.ts');
const feedback = () => import('./feedback.ts');

/** Several nodes as one service: clients counted in Redis, and what the nodes share through their database. */
export const fleetPart = definePart({
  name: 'fleet',
  conditions: ['fleet_not_followed', 'rotation_failed', 'limiter_unavailable', 'limiter_outdated'],
  commands: {
    nodes: async () => (await import('./command/nodes.ts')).nodesCommand,
    database: async () => (await import('./command/database.ts')).databaseCommand,
    spool: async () => (await import('./command/spool.ts')).spoolCommand,
  },
  provides: {
    joinFleet: async () => (await import('./shared-state.ts')).joinFleet,
    changeSharedKeys: async () => (await sharedState()).changeSharedKeys,
    syncWithFleet: async () => (await sharedState()).syncWithFleet,
    publishToFleet: async () => (await sharedState()).publishToFleet,
    readLimiterServers: async () => (await import('./shared-limits.ts')).readLimiterServers,
    openSharedLimits: async () => (await import('./shared-limits.ts')).openSharedLimits,
    readLogServers: async () => (await rotations()).readLogServers,
    replaceLogServers: async () => (await rotations()).replaceLogServers,
    rotationsOf: async () => (await import('./rotations.ts')).rotationsOf,
    openFeedbackReview: async () => (await feedback()).openFeedbackReview,
    shareFeedback: async () => (await feedback()).shareFeedback,
    openDatabaseBackend: async () => (await import('./command/database-backend.ts')).openDatabaseBackend,
    copyToDatabase: async () => (await import('./command/database-backend.ts')).copyToDatabase,
  },
  examine: {
    databases: async () => (await databases()).examineDatabases,
    limiter: async () => (await databases()).examineLimiter,
  },
});
