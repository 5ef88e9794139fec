import type { ConsoleOperations } from '#src/service/server/admin/console-operations.ts';

const nothing = (): never => {
  throw new Error('nothing is administered');
};

/** The operations of the console on a server without a data directory: routes refuse a request before they are reached. */
export const NO_OPERATIONS: ConsoleOperations = {
  models: { list: nothing, choice: nothing, compare: nothing, earlier: nothing, use: nothing, rollBack: nothing },
  packs: {
    ...{ list: nothing, state: nothing, preview: nothing, install: nothing, previewRollBack: nothing },
    rollBack: nothing,
  },
  brands: {
    ...{ list: nothing, find: nothing, readPage: nothing, preview: nothing, previewRemoval: nothing },
    ...{ add: nothing, remove: nothing },
  },
  backups: { list: nothing, schedule: nothing, create: nothing, open: nothing },
  gate: { report: nothing, passed: nothing, test: nothing },
  activity: { read: nothing, watched: nothing, live: { open: nothing } },
  checks: { page: nothing, find: nothing },
  feedback: {
    ...{ list: nothing, find: nothing, checkOf: nothing, entryOf: nothing, preview: nothing },
    ...{ accept: nothing, reject: nothing, reopen: nothing },
  },
  lists: {
    ...{ list: nothing, hits: nothing, find: nothing, versions: nothing, test: nothing, preview: nothing },
    change: nothing,
  },
  nodes: { list: nothing },
  activeSettings: nothing,
  status: nothing,
  renewSources: nothing,
  inTurn: (work) => work(),
};
