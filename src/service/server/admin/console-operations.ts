import type { consoleRoutes } from './console-routes.ts';

/** Operations of the console. */
export type ConsoleOperations = Pick<
  (typeof consoleRoutes)['decorator']['service'],
  | ('activeSettings' | 'activity' | 'backups' | 'brands' | 'checks' | 'feedback' | 'gate' | 'inTurn' | 'lists')
  | ('models' | 'nodes' | 'packs' | 'renewSources' | 'status')
>;
