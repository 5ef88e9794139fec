import type { consoleRoutes } from './console-routes.ts';

/** Dependencies of the routes of the console. */
export type ConsoleRouteParts = (typeof consoleRoutes)['decorator']['service'];

/** Operations of the console. */
export type ConsoleOperations = Pick<
  ConsoleRouteParts,
  | ('activeSettings' | 'activity' | 'backups' | 'brands' | 'checks' | 'feedback' | 'gate' | 'inTurn' | 'lists')
  | ('models' | 'nodes' | 'packs' | 'renewSources' | 'status')
>;
