import type { ActPlace } from '#src/admin/audit/act.ts';

/** An installation without a fleet and without a service. */
export const ownPlace = (dataDir: string): ActPlace => ({ dataDir, change: (_, work) => work() });
