/** Imports of parts that the core still has, as `FILE imports SPECIFIER`. This list only shrinks. */
export const ARROWS: readonly string[] = [
  'app/console/gate.ts imports #src/parts/proxy/gate/gate-report.ts',
  'app/console/gate.ts imports #src/parts/proxy/open-gate.ts',
  'app/console/gate.ts imports #src/parts/proxy/test-link.ts',
  'app/open-alerts.ts imports #src/parts/proxy/gate/watch-state.ts',
  'interfaces/cli/commands/lists.ts imports #src/parts/feeds/blocked/block-format.ts',
  'interfaces/cli/lists/export-lists.ts imports #src/parts/feeds/blocked/block-format.ts',
  'interfaces/cli/lists/export-lists.ts imports #src/parts/feeds/blocked/block-list.ts',
  'interfaces/cli/lists/export-lists.ts imports #src/parts/feeds/blocked/blocked-by-checks.ts',
  'interfaces/cli/lists/export-lists.ts imports #src/parts/feeds/blocked/blocked-now.ts',
  'service/server/feeds/answer-feed.ts imports #src/parts/feeds/feed/feed.ts',
  'service/server/feeds/feed-route.ts imports #src/parts/feeds/blocked/block-format.ts',
  'service/server/feeds/feed-route.ts imports #src/parts/feeds/feed/feed.ts',
  'service/server/misp/misp-routes.ts imports #src/parts/feeds/misp/module.ts',
  'service/server/misp/misp-routes.ts imports #src/parts/feeds/misp/question.ts',
  'service/server/misp/misp-routes.ts imports #src/parts/feeds/misp/verdict-object.ts',
];
