import type { ConsoleOperations } from '#src/parts/console/console-routes.ts';

const nothing = (): never => {
  throw new Error('nothing is administered');
};

/** The operations of the console on a server without a data directory: routes refuse a request before they are reached. */
export const NO_OPERATIONS: Omit<ConsoleOperations, 'apiKeys'> = {
  acts: {
    get place() {
      return nothing();
    },
    ...{ preview: nothing, withDraft: nothing },
  },
  gate: { report: nothing, test: nothing },
  activity: { read: nothing, watched: nothing, live: { open: nothing } },
  checks: { page: nothing, find: nothing, messagePage: nothing, findMessage: nothing },
  lists: { hits: nothing, find: nothing, test: nothing },
  nodes: { list: nothing },
  activeSettings: nothing,
  status: nothing,
  renewSources: nothing,
  inTurn: (work) => work(),
  audit: () => {},
  auditEntries: () => [],
  keyUsedMs: () => null,
};
