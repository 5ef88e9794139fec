/** What the executable is bundled from: the program, and its threads, each an entry point of its own. */
export const ENTRY_POINTS = [
  'src/main.ts',
  'src/pages/worker.ts',
  'src/store/upkeep/checkpoint-worker.ts',
  'src/cli/check/line-worker.ts',
  'src/cli/check/message-worker.ts',
];
