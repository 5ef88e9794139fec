import type { consoleRoutes } from './console-routes.ts';

/** Dependencies of the routes of the console. */
export type ConsoleRouteParts = (typeof consoleRoutes)['decorator']['service'];

/** Operations of the console. */
export type ConsoleOperations = Pick<
  ConsoleRouteParts,
  | ('activeSettings' | 'activity' | 'acts' | 'checks' | 'gate' | 'inTurn' | 'lists')
  | ('nodes' | 'renewSources' | 'status')
>;
