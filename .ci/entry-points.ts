/** What the executable is bundled from: the program, and its threads, each an entry point of its own. */
export const ENTRY_POINTS = [
  'src/main.ts',
  'src/engine/pages/worker.ts',
  'src/checks/store/upkeep/checkpoint-worker.ts',
  'src/network/lists/thread/worker.ts',
  'src/parts/lists/thread/worker.ts',
  'src/parts/feeds/feed-worker.ts',
  'src/interfaces/cli/check/line-worker.ts',
  'src/app/message/message-worker.ts',
  'src/parts/browser/browser-worker.ts',
];
