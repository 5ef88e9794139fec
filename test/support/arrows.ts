/** Imports of parts that the core still has, as `FILE imports SPECIFIER`. This list only shrinks. */
export const ARROWS: readonly string[] = [
  'admin/lists/open-list-guard.ts imports #src/parts/packs/packs/active-packs.ts',
  'admin/lists/preview-change.ts imports #src/parts/tuning/rescore/latest-checks.ts',
  'admin/lists/preview-change.ts imports #src/parts/tuning/rescore/rescore.ts',
  'admin/lists/preview-lists.ts imports #src/parts/tuning/rescore/rescore-check.ts',
  'admin/lists/sources/follow-sources.ts imports #src/parts/tuning/rescore/rescore.ts',
  'admin/lists/sources/import-source.ts imports #src/parts/tuning/rescore/rescore.ts',
  'interfaces/cli/commands/lists.ts imports #src/parts/feeds/blocked/block-format.ts',
  'interfaces/cli/commands/log.ts imports #src/parts/export/command/export-log.ts',
  'interfaces/cli/commands/log.ts imports #src/parts/export/export-format.ts',
  'interfaces/cli/commands/log.ts imports #src/parts/export/ndjson.ts',
  'interfaces/cli/lists/preview.ts imports #src/parts/tuning/rescore/rescore-check.ts',
  'interfaces/cli/lists/preview.ts imports #src/parts/tuning/rescore/rescore.ts',
  'interfaces/ui/shell/load-view.ts imports #src/parts/console-screens/console-view.ts',
];
